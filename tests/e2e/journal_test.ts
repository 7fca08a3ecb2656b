import assert from "node:assert/strict";
import { type DaemonProcess, startDaemonProcess } from "../support/daemon_process.ts";
import { EventReader } from "../support/event_reader.ts";
import { until } from "../support/machine.ts";

const config = `
[defaults]
log_max_size = 0
survive = false
[tasks.flood]
run = "seq 1 1000000000"
[tasks.lines]
run = 'i=0; while :; do i=$((i + 1)); echo $i; done'
[tasks.prompt]
run = "echo 1; printf 2 >&2; printf 'name: '; sleep 300"
`;

Deno.test("a daemon that is killed while runs write loses nothing that it has read", async () => {
  const first = await startDaemonProcess(config);
  try {
    const ids = await Promise.all(["flood", "lines", "prompt"].map((task) => trigger(first, task)));
    const seen = await Promise.all(ids.map((id, i) => followed(first, id, i === 2 ? 1 : 3000)));
    // What a client sees of an unfinished line is nowhere but in memory, and in the journal.
    await untilShown(first, ids[2]!, "name: ");
    await first.end("SIGKILL");
    const second = await startDaemonProcess(config, { folder: first.folder });
    try {
      const [flood, lines, prompt] = await Promise.all(ids.map((id) => linesOf(second, id)));
      assertCounted(flood!, seen[0]!);
      assertCounted(lines!, seen[1]!);
      assert.deepEqual(prompt, ["1", "name: 2"]);
      for (const id of ids) {
        assert.match((await pageOf(second, id)).at(-1)!, /^the daemon died while this ran/);
      }
      assert.deepEqual([...Deno.readDirSync(`${second.dataDir}/journals`)], []);
    } finally {
      await second.end();
    }
  } finally {
    await Deno.remove(first.folder, { recursive: true });
  }
});

/** Numbers from 1 on, up to what was seen at least; the last may be cut short, since a pipe cuts anywhere. */
function assertCounted(lines: readonly string[], least: number): void {
  const wrong = lines.findIndex((text, i) => text !== String(i + 1));
  const isCut = wrong === lines.length - 1 && String(wrong + 1).startsWith(lines[wrong]!);
  assert.ok(wrong < 0 || isCut, `line ${wrong} of ${lines.length}: ${lines[wrong]}`);
  assert.ok((wrong < 0 ? lines.length : wrong) >= least, `${lines.length} lines, ${least} were seen`);
}

async function trigger(daemon: DaemonProcess, task: string): Promise<string> {
  const response = await daemon.request(`/api/tasks/${task}/run`, { method: "POST" });
  assert.equal(response.status, 201);
  return (await response.json()).id;
}

/** Follows a log until it has seen so many lines; answers how many it has. */
async function followed(daemon: DaemonProcess, id: string, least: number): Promise<number> {
  const response = await daemon.request(`/api/runs/${id}/log/stream?from=0`);
  await using stream = new EventReader(response.body);
  let count = 0;
  while (count < least) if ((await stream.next())?.name === "line") count++;
  return count;
}

async function untilShown(daemon: DaemonProcess, id: string, text: string): Promise<void> {
  await until(`the log shows ${text}`, async () => (await pageOf(daemon, id)).some((one) => one === text));
}

async function pageOf(daemon: DaemonProcess, id: string): Promise<string[]> {
  const page = await (await daemon.request(`/api/runs/${id}/log?from=-10`)).json();
  return page.lines.map(({ text }: { text: string }) => text);
}

/** What the process wrote. */
async function linesOf(daemon: DaemonProcess, id: string): Promise<string[]> {
  const raw = await (await daemon.request(`/api/runs/${id}/log/raw`)).text();
  return raw.replace(/\n$/, "").split("\n");
}
