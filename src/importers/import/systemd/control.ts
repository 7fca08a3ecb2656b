import { controlNotes } from "../control.ts";
import { takenWith } from "../imported.ts";
import type { Made } from "./dependencies.ts";

/** Notes where a unit has systemd start or stop another that is imported along with it. */
export function tellControl(made: readonly Made[]): void {
  const names = new Map(
    made.flatMap(({ service, units: [unit] }) => unit === undefined ? [] : [[service.name, unit] as const]),
  );
  for (const { units: [unit], own: [entry] } of made) {
    if (unit === undefined || entry === undefined) continue;
    const notes = controlNotes(String(unit.settings["run"]), {
      program: "systemctl",
      nameOf: (word) => {
        const other = names.get(
          /\.[a-z]+$/.test(word) ? word.replace(/\.timer$/, ".service") : `${word}.service`,
        );
        return other?.kind === "task" ? `${other.name} (a task: svc run)` : other?.name;
      },
    });
    if (notes.length === 0) continue;
    entry.fate = takenWith([...(entry.fate.is === "noted" ? entry.fate.notes : []), ...notes]);
  }
}
