/**
 * Starts kept runs, or takes over those that are there, writes down all that comes of them, and waits to be killed.
 * Arguments: a folder, "long" or "short", JSON for the night watch, what run ids begin with, then a script
 * for each run.
 */
import { systemProcesses } from "../../../src/io/process/system.ts";
import { journalOf, keyOf } from "./journal.ts";

const [folder, length, night, prefix, ...scripts] = Deno.args;
const processes = systemProcesses({
  noteFolder: `${folder}/notes`,
  key: keyOf(folder!),
  keepers: { keepers: `${folder}/keepers`, spools: `${folder}/spools`, night: JSON.parse(night!) },
  say: (text) => Deno.writeTextFileSync(`${folder}/said`, `${text}\n`, { append: true }),
});
await processes.prepare();
const runIds = scripts.map((_, index) => `${prefix}${index}`);
const kept = new Set((await processes.findKept(runIds)).map(({ runId }) => runId));
for (const [index, script] of scripts.entries()) {
  const runId = `${prefix}${index}`;
  const journal = journalOf(folder!, runId);
  const sink = {
    output: journal.write,
    exited: () => {},
    pipesClosed: () => {},
  };
  if (kept.has(runId)) processes.adopt(runId, sink, journal.read().positions);
  else {
    processes.launch({
      ...{ runId, name: "unit", shell: "/bin/sh", script, args: [], cwd: folder!, limits: {} },
      envBase: "clean",
      env: { SVC_RUN_ID: runId },
      keep: { nonce: "nonce", about: "about", isLong: length === "long", unkept: () => {} },
    }, sink);
  }
}
Deno.writeTextFileSync(`${folder}/up`, "");
