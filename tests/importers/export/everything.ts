import type { ExportOrder } from "../../../src/importers/export/exported.ts";
import type { Config, Unit } from "../../../src/types.ts";
import { loadAsRoot } from "../../support/load_as_root.ts";

/** A configuration that has everything which an export has to say something of. */
export const everythingPath = new URL("everything.toml", import.meta.url).pathname;

export function everything(): Config {
  const { config, errors } = loadAsRoot(everythingPath);
  if (config === undefined) throw new RangeError(JSON.stringify(errors));
  return config;
}

/** An order to export these units, on a machine that lives in UTC. */
export function orderOf(units: readonly Unit[], own: Partial<ExportOrder> = {}): ExportOrder {
  return { units, all: units, hostTimezone: "UTC", withSecrets: false, ...own };
}

/** The text of a file of an export. */
export function textIn(
  { files }: { files: readonly { name: string; text: string }[] },
  name: string,
): string {
  const file = files.find((one) => one.name === name);
  if (file === undefined) throw new RangeError(`no "${name}" in ${files.map((one) => one.name).join(", ")}`);
  return file.text;
}

/** What an account says of a unit. */
export function saidOf(notes: readonly { unit: string; message: string }[], unit: string): string {
  return notes.filter((note) => note.unit === unit).map(({ message }) => message).join("\n");
}
