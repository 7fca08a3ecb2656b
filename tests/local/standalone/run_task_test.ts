import assert from "node:assert/strict";
import { runStandalone, type StandaloneOrder } from "../../../src/local/standalone/run_task.ts";
import { Fault } from "../../../src/fault.ts";
import { inFolder, write } from "../../support/folder.ts";
import { livingCarriers } from "../../support/machine.ts";

const config = `
[tasks.greet]
run = 'echo "hello $WHO $1 $SVC_TASK $SVC_TRIGGER"; echo careful >&2; umask; pwd; exit 3'
umask = "027"
env = { FROM = "unit" }
[[tasks.greet.params]]
env = "WHO"
default = "you"
[[tasks.greet.params]]
flag = "--loud"

[tasks.secret]
run = 'printf %s "$PW" | cut -c1-3; echo "it is $PW."'
secrets = { PW = "hunter2-hunter2" }

[tasks.slow]
run = "trap 'echo bye; exit 0' TERM; echo started; sleep 600 & wait"

[tasks.stubborn]
run = "trap '' TERM; sleep 600 & echo started; while :; do sleep 600; done"
graceful_stop = "100ms"

[tasks.late]
run = "sleep 600"
timeout = "50ms"

[tasks.full]
run = "yes"
log_max_size = "100kb"
log_on_full = "kill_task"

[tasks.told]
run = "echo it has FAILED here"
failures = ["output:FAILED"]

[tasks.lost]
run = "true"
working_dir = "nowhere"

[services.web]
run = "sleep 600"
`;

/** Runs a task in a folder of its own; answers the run and all that came of it. */
async function ran(
  folder: string,
  task: string,
  own: Partial<StandaloneOrder> & { started?: (interrupt: () => void) => void } = {},
) {
  write(`${folder}/svc.toml`, config);
  let [stdout, stderr] = ["", ""];
  const said: string[] = [];
  let interrupt = (): void => {};
  const { started, ...order } = own;
  const { run } = await runStandalone({ config: `${folder}/svc.toml` }, {
    task,
    params: {},
    echo: {
      output(stream, bytes) {
        const text = new TextDecoder().decode(bytes);
        if (stream === "stdout") stdout += text;
        else stderr += text;
        if (text.includes("started")) started?.(interrupt);
      },
      say: (text) => said.push(text),
    },
    onInterrupt(listener) {
      interrupt = listener;
      return () => {};
    },
    ...order,
  });
  return { run, stdout, stderr, said };
}

Deno.test("runStandalone() runs a task with its environment, parameters, umask and folder, and its code", async () => {
  await inFolder(async (folder) => {
    const { run, stdout, stderr, said } = await ran(folder, "greet", { params: { loud: "true" } });
    assert.equal(stdout, `hello you --loud greet cli\n0027\n${folder}\n`);
    assert.equal(stderr, "careful\n");
    assert.deepEqual([run.endReason, run.exitCode, run.isFailure, said], ["failed", 3, true, []]);
    assert.deepEqual(run.params, { WHO: "you", "--loud": "true" });
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["svc.toml"], "no data folder");
  });
});

Deno.test("runStandalone() masks the values of secrets", async () => {
  await inFolder(async (folder) => {
    assert.equal((await ran(folder, "secret")).stdout, "hun\nit is [redacted].\n");
  });
});

Deno.test("runStandalone() goes through the stop ladder at the first request, and kills the group at the second", async () => {
  await inFolder(async (folder) => {
    const slow = await ran(folder, "slow", { started: (interrupt) => interrupt() });
    assert.equal(slow.stdout, "started\nbye\n");
    assert.deepEqual([slow.run.endReason, slow.said], ["stopped", ["stop requested: SIGTERM sent"]]);
    const stubborn = await ran(folder, "stubborn", { started: (interrupt) => interrupt() });
    assert.deepEqual([stubborn.run.endReason, stubborn.run.exitCode], ["stopped", 137]);
    assert.match(stubborn.said.join("\n"), /SIGKILL: still alive 100 ms after SIGTERM/);
    // A zombie, which nobody has reaped yet, carries nothing any more.
    assert.ok(!(await livingCarriers()).includes(stubborn.run.id), "what the run has started is gone, too");
    const twice = await ran(folder, "slow", {
      started(interrupt) {
        interrupt();
        interrupt();
      },
    });
    assert.deepEqual(twice.said, ["stop requested: SIGTERM sent", "SIGKILL: no time is left"]);
  });
});

Deno.test("runStandalone() holds timeout, size of the log and rules of output as a daemon does", async () => {
  await inFolder(async (folder) => {
    assert.equal((await ran(folder, "late")).run.endReason, "timeout");
    assert.equal((await ran(folder, "full")).run.endReason, "log_overflow");
    const told = (await ran(folder, "told")).run;
    assert.deepEqual([told.endReason, told.exitCode], ["failed", 0]);
    const lost = await ran(folder, "lost");
    assert.deepEqual([lost.run.endReason, lost.run.exitCode], ["start_failed", -1]);
    assert.match(lost.said[0]!, /cannot start: no such folder ".*nowhere"/);
  });
});

Deno.test("runStandalone() refuses what is no task, with the nearest name", async () => {
  await inFolder(async (folder) => {
    const refused = async (task: string, params: Record<string, string> = {}): Promise<string> => {
      const error = await ran(folder, task, { params }).then(() => undefined, (thrown) => thrown);
      assert.ok(error instanceof Fault, String(error));
      return error.message;
    };
    assert.equal(await refused("gret"), 'no unit "gret": did you mean "greet"?');
    assert.match(await refused("web"), /cannot run "web": it is a service/);
    assert.match(await refused("greet", { WH: "x" }), /unknown parameter "WH": did you mean "WHO"\?/);
  });
});
