import { Fault, type FaultDetail } from "../../fault.ts";
import { demand, system } from "./manager.ts";
import { isMac, type ServiceOptions } from "./target.ts";

/** How many lines of its log are told of a service that did not start. */
const toldLines = 10;

/**
 * Has the service manager do its commands. Throws `Fault` with the last lines of the journal where the daemon does not
 * come up: the manager's own words are only that it did not.
 */
export async function startService(
  commands: readonly (readonly string[])[],
  options: ServiceOptions,
): Promise<void> {
  const begun = Math.floor(Date.now() / 1000);
  for (const words of commands.slice(0, -1)) await demand("make the service known", words);
  const start = commands.at(-1) ?? [];
  const { code, stdout, stderr } = await system(start);
  if (code === 0) return;
  const [why = ""] = (stderr || stdout || `it exited with ${code}`).split("\n");
  const uninstall = [
    "svc service uninstall",
    ...(options.scope === "user" ? ["--user"] : []),
    ...(options.name === "svc" ? [] : ["--name", options.name]),
  ].join(" ");
  throw new Fault(
    "internal",
    `cannot start the service: ${start.join(" ")}: ${
      why.replace(/\.$/, "")
    }; it stays installed and is tried again: ` +
      `mend what it says, or take it away with "${uninstall}"`,
    await journalOf(options, begun),
  );
}

async function journalOf({ scope, name }: ServiceOptions, since: number): Promise<FaultDetail[]> {
  if (isMac()) return [];
  const unit = `${scope === "user" ? "--user-unit" : "--unit"}=${name}.service`;
  // It may be a moment behind what has ended; without it the lines that are there are told.
  await system(["journalctl", "--sync"]).catch(() => {});
  const words = ["journalctl", unit, `--since=@${since}`, `--lines=${toldLines}`];
  const { stdout } = await system([...words, "--output=cat", "--no-pager", "--quiet"]).catch(() => ({
    stdout: "",
  }));
  return stdout.split("\n").filter((line) => line.trim() !== "").map((message) => ({
    location: "journal",
    message,
  }));
}
