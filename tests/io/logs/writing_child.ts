/**
 * A process that writes a log until it is killed: numbered lines, alternating between the streams. It says
 * `ready` once some are on the disk. Arguments: the root of the logs, the number of lines (0: no end).
 */
import { LogStore } from "../../../src/io/logs/store.ts";
import { RUN, UNIT, utf8 } from "./fixture.ts";

const [root = "", count = "0"] = Deno.args;
const store = new LogStore(root, { after: () => () => {} });
const writer = store.writer(UNIT, RUN, { maxSize: 0, onFull: "drop_old" });
let at = 1000;
for (let i = 0; count === "0" || i < Number(count); i++) {
  writer.write(i % 2 === 0 ? "stdout" : "stderr", utf8(`line ${i} ${"x".repeat(i % 300)}\n`), at++);
  if (i % 37 === 0) writer.flush();
  if (i === 500) Deno.stdout.writeSync(utf8("ready\n"));
}
writer.close();
await store.synced();
Deno.stdout.writeSync(
  utf8(JSON.stringify({ lines: writer.lines, dropped: writer.droppedLines, failed: writer.failed ?? "" })),
);
