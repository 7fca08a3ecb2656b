import type { Unit } from "../../types.ts";

/** Whom an export is for. */
export type ExportKind = "systemd" | "kubernetes" | "nomad";

/** A file of an export. */
export interface ExportFile {
  /** A plain name without a folder. */
  name: string;
  text: string;
  /** Only its owner may read it, since it holds secrets or is to hold them. */
  secret?: true;
}

/** Something that an export can't say, or says in another way; `unit` is empty where it holds for all. */
export interface ExportNote {
  unit: string;
  /** A clause without a full stop. */
  message: string;
}

/** The files of an export, and the account of what has no counterpart in them. */
export interface Exported {
  files: ExportFile[];
  notes: ExportNote[];
  /** What could not be exported: a unit, or its schedule. */
  refused: ExportNote[];
}

/** What an export is made from. */
export interface ExportOrder {
  /** The units to export. */
  units: readonly Unit[];
  /** All units of the configuration: what is depended on may not be exported itself. */
  all: readonly Unit[];
  /** `daemon.timezone`. */
  timezone?: string;
  /** The zone of this machine, IANA. */
  hostTimezone: string;
  /** The container image; absent: a placeholder. */
  image?: string;
  /** Write the values of secrets, not placeholders. */
  withSecrets: boolean;
}

/** Collects the account of an export. */
export class Account {
  readonly notes: ExportNote[] = [];
  readonly refused: ExportNote[] = [];
  readonly #shared = new Map<string, { note: ExportNote; names: string[] }>();

  /** Notes something about a unit, once. */
  note(unit: { name: string } | undefined, message: string): void {
    add(this.notes, { unit: unit?.name ?? "", message });
  }

  /** Notes what holds for many units: one of them is told with its name, several in one line. */
  together(unit: { name: string }, message: string): void {
    const known = this.#shared.get(message);
    if (known === undefined) {
      const note = { unit: unit.name, message };
      this.#shared.set(message, { note, names: [unit.name] });
      this.notes.push(note);
    } else if (!known.names.includes(unit.name)) {
      known.names.push(unit.name);
      Object.assign(known.note, { unit: "", message: `${message}: ${known.names.join(", ")}` });
    }
  }

  /** Tells what could not be exported. */
  refuse(unit: { name: string }, message: string): void {
    add(this.refused, { unit: unit.name, message });
  }
}

function add(notes: ExportNote[], note: ExportNote): void {
  if (notes.some(({ unit, message }) => unit === note.unit && message === note.message)) return;
  notes.push(note);
}
