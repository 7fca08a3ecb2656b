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

  /**
   * The entries of the lines: one for each with notes, as a part of a unit where there is one, and one for each reason
   * for which lines of a file are not taken, with their keys.
   */
  entries(unit: string | undefined): Entry[] {
    const lines = [...this.#lines].sort(([a], [b]) => a.line - b.line);
    const noted = lines.filter(([, { notes }]) => notes.length > 0).map(([assignment, { notes, whys }]) => ({
      ...placeOf(assignment),
      what: wordsOf(assignment),
      ...(unit === undefined ? {} : { unit }),
      fate: takenWith([...notes, ...whys]),
    }));
    const reasons = Map.groupBy(
      lines.filter(([, { notes }]) => notes.length === 0),
      ([{ file }, { whys }]) => JSON.stringify([file, whys]),
    );
    const refused = [...reasons.values()].flatMap((alike): Entry[] => {
      const assignments = alike.map(([assignment]) => assignment);
      const [first] = assignments;
      const why = alike[0]?.[1].whys.join("; ") ?? "";
      if (first === undefined) return [];
      return [{ ...placeOf(first), what: keysOf(assignments), fate: { is: "refused", why } }];
    });
    return [...noted, ...refused];
  }

  #at(assignment: Assignment): { notes: string[]; whys: string[] } {
    const known = this.#lines.get(assignment) ?? { notes: [], whys: [] };
    this.#lines.set(assignment, known);
    return known;
  }
}

function placeOf({ file, line }: Assignment): { file: string; line: number } {
  return { file, line };
}

/** One line as it stands; of several the keys, with the lines of all but the first. */
function keysOf(assignments: readonly Assignment[]): string {
  const [first, ...others] = assignments;
  if (first === undefined) return "";
  if (others.length === 0) return wordsOf(first);
  const byKey = Map.groupBy(assignments, ({ key }) => key);
  return [...byKey].map(([key, alike]) => {
    const lines = alike.filter((one) => one !== first).map(({ line }) => line);
    const where = lines.length === 0 ? "" : ` (${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")})`;
    return key + where;
  }).join(", ");
}
