import { resolvePath } from "../../../core/config/path.ts";
import type { ImportContext } from "../imported.ts";
import type { Fields } from "./fields.ts";
import type { Text } from "./value.ts";

/**
 * A note where the script is not in the folder that it is looked for in: pm2 begins where it is called, which no
 * file says.
 */
export function placeNotes(
  fields: Fields,
  { folder, cwd, context: { exists } }: {
    folder: string | undefined;
    cwd: string | Text | undefined;
    context: ImportContext;
  },
): string[] {
  const own = fields.text("cwd");
  const script = fields.text("script");
  if (exists === undefined || folder === undefined || typeof cwd !== "string") return [];
  if (own !== undefined && (typeof own !== "string" || own.startsWith("/"))) return [];
  if (typeof script !== "string" || !/^[^/\s][^\s]*$/.test(script) || !/[/.]/.test(script)) return [];
  const path = resolvePath(script, { base: cwd });
  if (exists(path)) return [];
  const below = typeof own === "string" ? `${own}/${script}` : script;
  const found = foldersAbove(folder).find((above) => exists(resolvePath(below, { base: above })));
  const where = found === undefined ? "" : `; it is in ${found}`;
  return [
    `there is no ${path}: pm2 begins in the folder in which it is called, svc in that of the file${where}: set working_dir`,
  ];
}

function foldersAbove(folder: string): string[] {
  const parts = folder.split("/").filter((part) => part !== "");
  return parts.map((_, at) => `/${parts.slice(0, parts.length - 1 - at).join("/")}`).slice(0, 3);
}
