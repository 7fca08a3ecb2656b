import { fitName } from "../names.ts";

/**
 * The alias of a compose file: the name of its project, else its folder's, so that no service gets a name that is in
 * use.
 */
export function aliasOf(
  { wanted, path, services, taken }: {
    wanted: string | undefined;
    path: string;
    services: readonly string[];
    taken: ReadonlySet<string>;
  },
): string {
  const folder = path.split("/").at(-2) ?? "";
  const name = wanted ?? folder;
  // The rest of a name is its service's.
  const base = name === "" ? "compose" : fitName(name).slice(0, 40);
  const isFree = (alias: string): boolean =>
    !taken.has(alias) && services.every((service) => !taken.has(`${alias}.${service}`));
  for (let n = 1;; n++) {
    const alias = n === 1 ? base : `${base}-${n}`;
    if (isFree(alias)) return alias;
  }
}
