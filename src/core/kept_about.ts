import type { Service, Task, Unit } from "../types.ts";

/** What the next daemon must know of a run beside its row. It holds secrets: it stands in the file of the run's keeper alone. */
export interface KeptAbout {
  /** The definition that the run was started with. */
  unit: Unit;
  /** Values that are masked whatever unit says them, as they were then. */
  masked: readonly string[];
}

/** What a run's life depends on, and of which type it is: a definition that lacks any of it is of no use. */
const shared = {
  string: ["name", "run", "stopSignal", "workingDir", "shell", "envBase", "logOnFull"],
  number: ["timeout", "gracefulStop", "logMaxSize"],
  boolean: ["apiTrigger", "killStrays"],
  list: ["exitCodes", "failures"],
  table: ["env", "secrets", "limits"],
} as const;
const own = {
  task: { string: ["retryBackoff"], number: ["retryAttempts", "retryDelay", "jitter"], list: ["params"] },
  service: {
    string: ["restart", "restartBackoff"],
    number: ["instances", "restartDelay", "healthyAfter", "startRetries"],
    list: ["dependsOn"],
  },
} satisfies {
  task: Partial<Record<TypeName, readonly (keyof Task)[]>>;
  service: Partial<Record<TypeName, readonly (keyof Service)[]>>;
};

type TypeName = "string" | "number" | "boolean" | "list" | "table";

/** As it stands in the keeper's file: JSON. */
export function writeAbout(about: KeptAbout): string {
  return JSON.stringify(about);
}

/** Reads it; undefined where there is no whole definition of this unit in it, of a service or a task as `kind` says. */
export function readAbout(text: string, { name, kind }: Pick<Unit, "name" | "kind">): KeptAbout | undefined {
  const { unit, masked } = tableOf(parsed(text));
  const fields = tableOf(unit);
  if (fields.kind !== kind || fields.name !== name) return undefined;
  if (!has(fields, shared) || !has(fields, own[kind])) return undefined;
  const values = Array.isArray(masked) ? masked.filter((value) => typeof value === "string") : [];
  return { unit: { ...defaults, ...fields } as unknown as Unit, masked: values };
}

/** What a definition of an earlier version may lack. */
const defaults = { survive: true, notify: [], hookTokens: [] };

function has(fields: Table, wanted: Partial<Record<TypeName, readonly string[]>>): boolean {
  return Object.entries(wanted).every(([type, keys]) => keys.every((key) => typeOf(fields[key]) === type));
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return "list";
  return typeof value === "object" && value !== null ? "table" : typeof value;
}

type Table = Record<string, unknown>;

function tableOf(value: unknown): Table {
  return typeOf(value) === "table" ? value as Table : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
