/**
 * Draws docs/machines.md: the two machines, made from their step functions. Each event is put to each state that can be
 * reached under each policy that makes a difference, and what is seen is drawn. `deno task draw` writes the page.
 */
import { instanceMachine, runMachine } from "./draw/machines.ts";
import { page } from "./draw/page.ts";
import { rowsOf } from "./draw/rows.ts";

/** The text of docs/machines.md. */
export function machinesPage(): string {
  return page({ run: rowsOf(runMachine), instance: rowsOf(instanceMachine) });
}

if (import.meta.main) {
  await Deno.writeTextFile(new URL("../docs/machines.md", import.meta.url), machinesPage());
}
