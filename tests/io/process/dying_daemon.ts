/** Launches kept runs and waits to be killed. Arguments: a folder, then a script for each run, whose ids are R0, R1, ... */
import { systemProcesses } from "../../../src/io/process/system.ts";
import { keyOf } from "./journal.ts";

const [folder, ...scripts] = Deno.args;
const processes = systemProcesses({
  noteFolder: `${folder}/notes`,
  key: keyOf(folder!),
  keepers: { keepers: `${folder}/keepers`, spools: `${folder}/spools` },
});
await processes.prepare();
for (const [index, script] of scripts.entries()) {
  const runId = `R${index}`;
  processes.launch({
    runId,
    name: "unit",
    shell: "/bin/sh",
    script,
    args: [],
    cwd: "/",
    envBase: "clean",
    env: { SVC_RUN_ID: runId },
    limits: {},
    keep: { nonce: "nonce", about: "about", isLong: true, unkept: () => {} },
  }, {
    output: (_, chunk) => {
      Deno.stdout.writeSync(chunk);
      return chunk.length;
    },
    exited: () => {},
    pipesClosed: () => {},
  });
}
