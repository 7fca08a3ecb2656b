import type { Command } from "commander";
import { endReasons, snakeTriggers, statuses } from "../../core/run_words.ts";
import type { Client } from "../client.ts";
import type { Candidate, Reply } from "./reply.ts";
import { type Cursor, cursorAt } from "./cursor.ts";

/** What is asked of a daemon; absent where there is none. */
export type Ask = <T>(question: (client: Client) => Promise<T>) => Promise<T | undefined>;

/** What completes the words of a command. */
export interface CommandSource {
  name: string;
  parser: Command;
  ask: Ask;
}

/** What may stand at the last of the words behind a command's name. */
export async function completeCommand(
  { name, parser, ask }: CommandSource,
  words: readonly string[],
): Promise<Reply> {
  const current = words.at(-1) ?? "";
  const place = cursorAt(parser, words);
  const { wanted } = place;
  if (wanted.what === "option") {
    return { kind: "words", words: startingWith(current, optionsOf(parser, wanted.used)) };
  }
  if (wanted.choices.length > 0) {
    return { kind: "words", words: withPrefix(wanted.prefix, current, wanted.choices.map(plain)) };
  }
  if (wanted.kind === "FILE" || wanted.kind === "PATH") return { kind: "files" };
  if (wanted.kind === "FOLDER") return { kind: "folders" };
  const found = await valuesOf(wanted.kind, { name, place, ask });
  return { kind: "words", words: withPrefix(wanted.prefix, current, found) };
}

/** Options that may stand there: those that are shown in help, each once unless it may stand again. */
export function optionsOf(parser: Command, used: ReadonlySet<string>): Candidate[] {
  return [
    ...parser.options.filter((option) =>
      !option.hidden && (option.attributeName() === "param" || !used.has(option.attributeName()))
    ).map(({ long, short, description }) => ({ word: long ?? short ?? "", about: description })),
    { word: "--help", about: "show this help" },
  ];
}

/** Candidates that begin with what stands there. */
export function startingWith(current: string, candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter(({ word }) => word.startsWith(current));
}

/** Values by the name that help gives them. */
async function valuesOf(
  kind: string,
  { name, place, ask }: { name: string; place: Cursor; ask: Ask },
): Promise<Candidate[]> {
  const taken = new Set(place.operands);
  switch (kind) {
    case "TASK":
      return (await unitsOf(ask, name === "next" ? "scheduled" : "task")).filter(({ word }) =>
        !taken.has(word)
      );
    case "NAME":
      return await unitsOf(ask, "any");
    case "NAME|GLOB":
      return (await unitsOf(ask, kindFor[name] ?? "any")).filter(({ word }) => !taken.has(word));
    case "NAME|RUN":
      return [...await unitsOf(ask, "any"), ...await runsOf(ask)].filter(({ word }) => !taken.has(word));
    case "RUN":
    case "ID":
      return await runsOf(ask, place.given.get("task"));
    case "K=V":
      return await paramsOf(ask, place.operands[0] ?? "");
    case "ZONE":
      return Intl.supportedValuesOf("timeZone").map(plain);
    case "LIST":
      return [...statuses, ...endReasons].map(plain);
    case "WORD":
      return snakeTriggers.map(plain);
    default:
      return [];
  }
}

type UnitKind = "any" | "task" | "scheduled" | "paused";

/** What a command that takes units is meant for. */
const kindFor: Readonly<Record<string, UnitKind>> = { pause: "scheduled", resume: "paused" };

async function unitsOf(ask: Ask, kind: UnitKind): Promise<Candidate[]> {
  if (kind === "paused") {
    const units = await ask((client) => client.units()) ?? [];
    return units.filter(({ paused_at }) => paused_at !== undefined).map(({ name }) => ({
      word: name,
      about: "paused",
    }));
  }
  const units = (await ask((client) => client.daemon()))?.tasks ?? [];
  return units.filter((unit) =>
    kind === "any" || (kind === "scheduled" ? unit.cron !== undefined : unit.kind !== "service")
  ).map(({ name, cron, kind: of }) => ({ word: name, about: of === "service" ? "service" : cron ?? "task" }));
}

/** So many of the newest runs are offered. */
const mostRuns = 30;

async function runsOf(ask: Ask, unit?: string): Promise<Candidate[]> {
  const query = { limit: String(mostRuns), ...(unit === undefined ? {} : { task_name: unit }) };
  const answer = await ask((client) => client.runs(query));
  return (answer?.runs ?? []).map(({ id, task_name, end_reason, status }) => ({
    word: id,
    about: `${task_name}, ${end_reason ?? status}`,
  }));
}

/** Parameters of a task, without their dashes, open for a value. */
async function paramsOf(ask: Ask, task: string): Promise<Candidate[]> {
  const unit = (await ask((client) => client.daemon()))?.tasks?.find(({ name }) => name === task);
  return (unit?.parameters ?? []).flatMap(({ key, description, choices, kind }): Candidate[] => {
    const name = key.replace(/^-+/, "").replace(/=$/, "");
    const values = kind === "flag" ? ["true", "false"] : choices ?? [];
    const about = description ?? kind;
    if (values.length === 0) return [{ word: `${name}=`, about, isOpen: true }];
    return values.map((value) => ({ word: `${name}=${value}`, about }));
  });
}

function withPrefix(prefix: string, current: string, candidates: readonly Candidate[]): Candidate[] {
  return startingWith(current, candidates.map((one) => ({ ...one, word: prefix + one.word })));
}

function plain(word: string): Candidate {
  return { word, about: "" };
}
