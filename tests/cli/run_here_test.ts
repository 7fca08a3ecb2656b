import assert from "node:assert/strict";
import type { StandaloneOrder } from "../../src/cli/locals.ts";
import { OutputClosed } from "../../src/cli/terminal.ts";
import type { RunJson } from "../../src/http/schemas/run.ts";
import { call, memoryTerminal } from "./memory.ts";

const failed: RunJson = {
  id: "R1",
  task_name: "greet",
  status: "ended",
  exit_code: 3,
  end_reason: "failed",
  triggered_by: "api",
  created_at: "2027-01-15T12:00:00.000Z",
  start_at: "2027-01-15T12:00:00.000Z",
  end_at: "2027-01-15T12:00:01.500Z",
  retry_attempt: 0,
  instance_index: 0,
};

/** A machine on which a task prints something, and is done. */
function printing(print: (order: StandaloneOrder) => void, run = failed) {
  return {
    runStandalone: (_: object, order: StandaloneOrder) => {
      print(order);
      return Promise.resolve(run);
    },
  };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

Deno.test("svc run --standalone shows both streams byte for byte, and exits with the run's code", async () => {
  const { code, stdout, stderr } = await call(["run", "greet", "--standalone", "--param", "WHO=me"], {
    locals: printing(({ task, params, echo }) => {
      echo.output("stdout", bytes(`${task} ${JSON.stringify(params)}\x1b[2J`));
      echo.output("stderr", bytes("careful\n"));
      echo.say("timeout after 1 s");
    }),
  });
  assert.equal(code, 3);
  assert.equal(stdout, 'greet {"WHO":"me"}\x1b[2J');
  assert.equal(stderr, "careful\ntimeout after 1 s\n✕ greet failed (3) in 1.5 s (run R1, standalone)\n");
});

Deno.test("svc run --standalone ends a line on a terminal before it says something", async () => {
  const terminal = memoryTerminal({ isTerminal: true, env: { LANG: "C.UTF-8", NO_COLOR: "1" } });
  const locals = printing(({ echo }) => echo.output("stdout", bytes("no end")));
  await call(["run", "greet", "--standalone"], { locals, terminal });
  assert.match(terminal.stderr, /^\n✕ greet failed \(3\)/);
});

Deno.test("svc run --standalone prints nothing but the run with --json", async () => {
  const locals = printing(({ echo }) => echo.output("stdout", bytes("noise")));
  const { stdout } = await call(["run", "greet", "--standalone", "--json"], { locals });
  assert.deepEqual(JSON.parse(stdout), { schema_version: 1, run: failed });
});

Deno.test("svc run --standalone still has the run's code when nobody reads", async () => {
  const terminal = memoryTerminal();
  const closed = (): never => {
    throw new OutputClosed("nobody reads");
  };
  terminal.out.writeBytes = terminal.err.write = closed;
  const locals = printing(({ echo }) => echo.output("stdout", bytes("x")));
  assert.equal((await call(["run", "greet", "--standalone"], { locals, terminal })).code, 3);
});

Deno.test("svc run --standalone goes neither with --detach nor with --url", async () => {
  assert.equal((await call(["run", "a", "--standalone", "--detach"])).code, 2);
  const { code, stderr } = await call(["run", "a", "--standalone", "--url", "http://box:1"]);
  assert.equal(code, 2);
  assert.match(stderr, /--standalone runs the task on this machine: leave --url out/);
});
