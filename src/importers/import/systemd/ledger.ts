import { type Entry, takenWith } from "../imported.ts";
import { type Assignment, type UnitFile, wordsOf } from "./unit_file.ts";
import { type Told, whyLeftOut } from "./told.ts";

/** What is told of the lines of a unit, until it is known what became of it. */
export class Ledger implements Told {
  readonly #lines = new Map<Assignment, { notes: string[]; whys: string[] }>();

  note(assignment: Assignment, note: string): void {
    const { notes } = this.#at(assignment);
    if (!notes.includes(note)) notes.push(note);
  }

  refuse(assignment: Assignment, why: string): void {
    const { whys } = this.#at(assignment);
    if (!whys.includes(why)) whys.push(why);
  }

  /** Tells of all keys that have no counterpart. */
  leaveOut(unit: UnitFile, counts: (assignment: Assignment) => boolean): void {
    for (const assignment of unit.assignments) {
      const why = counts(assignment) ? whyLeftOut(assignment) : undefined;
      if (why !== undefined) this.refuse(assignment, why);
    }
  }

  /** The entries of the lines, those with notes as a part of a unit where there is one. */
  entries(unit: string | undefined): Entry[] {
    return [...this.#lines].map(([assignment, { notes, whys }]) => {
      const entry = { file: assignment.file, line: assignment.line, what: wordsOf(assignment) };
      if (notes.length === 0) return { ...entry, fate: { is: "refused", why: whys.join("; ") } };
      return { ...entry, ...(unit === undefined ? {} : { unit }), fate: takenWith([...notes, ...whys]) };
    });
  }

  #at(assignment: Assignment): { notes: string[]; whys: string[] } {
    const known = this.#lines.get(assignment) ?? { notes: [], whys: [] };
    this.#lines.set(assignment, known);
    return known;
  }
}
