import { askShell } from "./ask_shell.ts";

/** How many files this process may have open, as a child that inherits it says; undefined where nobody knows. */
export async function descriptorLimit(): Promise<number | undefined> {
  const [text = ""] = await askShell("ulimit -n");
  if (text === "unlimited") return Infinity;
  const limit = Number(text);
  return Number.isSafeInteger(limit) && limit > 0 ? limit : undefined;
}
