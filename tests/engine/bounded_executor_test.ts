import assert from "node:assert/strict";
import { BoundedExecutor } from "../../src/engine/runs/bounded_executor.ts";
import type { AdoptOptions, Execution, Executor, LaunchOptions } from "../../src/engine/runs/executor.ts";
import type { ProcessExit, ProcessSink, RunProcess } from "../../src/io/process/processes.ts";
import type { Run } from "../../src/types.ts";
import { FakeClock, settle } from "../support/fake_clock.ts";
import { noon, second, task } from "../support/units.ts";

const never = (): Promise<never> => new Promise(() => {});
const failing = (): Promise<never> => Promise.reject(new Error("the line is cut"));
const throwing = (): never => {
  throw new Error("no such executor");
};

/** An execution that answers nothing, apart from what a test wants otherwise. */
function executionOf(answers: Partial<Execution>): Execution {
  return {
    pid: 7,
    started: Promise.resolve(),
    signal: never,
    kill: never,
    lives: never,
    look: never,
    signalRest: () => {},
    killRest: never,
    finish: never,
    abandon: () => {},
    leave: () => Promise.resolve(),
    release: () => {},
    troubles: () => [],
    dismiss: () => {},
    ...answers,
  };
}

/** Launches an execution behind bounds of 5 s and 10 s; `told` is what the owner of the run hears. */
function launch(answers: Partial<Execution>): {
  clock: FakeClock;
  said: string[];
  told: string[];
  sink: ProcessSink;
  execution: Execution;
} {
  const clock = new FakeClock(noon);
  const said: string[] = [];
  const told: string[] = [];
  const sinks: ProcessSink[] = [];
  const executor: Executor = {
    launch(_run, { sink }) {
      sinks.push(sink);
      return executionOf(answers);
    },
    adopt: throwing,
  };
  const bounded = new BoundedExecutor(executor, { world: { clock }, patience: { look: 5000, act: 10_000 } });
  const options: LaunchOptions = {
    unit: task({ name: "t" }),
    traceparent: undefined,
    sink: {
      output: (_stream, { length }) => length,
      exited: ({ code }: ProcessExit) => void told.push(`exited ${code}`),
      pipesClosed: () => void told.push("drained"),
    },
    say: (text) => void said.push(text),
  };
  const execution = bounded.launch({ id: "R1" } as Run, options);
  return { clock, said, told, sink: sinks[0]!, execution };
}

Deno.test("BoundedExecutor answers within bounds whatever is behind it, and says what is not known", async () => {
  for (
    const [answer, trouble] of [
      [never, "no answer within 10 s"],
      [failing, "the line is cut"],
      [throwing, "no such executor"],
    ] as const
  ) {
    const { clock, said, execution } = launch({
      signal: answer,
      kill: answer,
      lives: answer,
      look: answer,
      killRest: answer,
      finish: answer,
    });
    const answers = Promise.all([
      execution.lives(),
      execution.look(),
      execution.finish("all"),
      execution.signal("SIGTERM"),
      execution.kill(),
      execution.killRest(),
    ]);
    await clock.advance(10 * second);
    const [lives, seen, finished] = await answers;
    assert.deepEqual([lives, seen], [undefined, undefined]);
    assert.deepEqual(finished, { killed: [], left: [], untold: trouble });
    assert.deepEqual(said.sort(), [
      `cannot look for what has left the group: ${trouble}`,
      `cannot look for what has left the group: ${trouble}`,
      `cannot send SIGTERM: ${trouble}`,
    ]);
    assert.equal(clock.waiting, 0);
  }
});

Deno.test("BoundedExecutor tells each end once, the first that was told", () => {
  const { sink, told } = launch({});
  sink.exited({ code: 3 });
  sink.exited({ code: 0 });
  sink.pipesClosed();
  sink.pipesClosed();
  assert.deepEqual(told, ["exited 3", "drained"]);
});

Deno.test("BoundedExecutor gives whoever looks what was seen last, though answers overtake each other", async () => {
  const child: RunProcess = { pid: 8, name: "child", group: 7 };
  const answers: ((seen: RunProcess[]) => void)[] = [];
  const { execution } = launch({ look: () => new Promise((resolve) => answers.push(resolve)) });
  const looks = [execution.look(), execution.look()];
  await settle();
  answers[1]!([child]);
  await settle();
  answers[0]!([]);
  assert.deepEqual(await Promise.all(looks), [[child], [child]]);
});

Deno.test("BoundedExecutor lets a launch fail as it fails", () => {
  const clock = new FakeClock(noon);
  const bounded = new BoundedExecutor({ launch: throwing, adopt: throwing }, {
    world: { clock },
    patience: { look: 5000, act: 10_000 },
  });
  assert.throws(() => bounded.launch({ id: "R1" } as Run, {} as LaunchOptions), /no such executor/);
  assert.throws(() => bounded.adopt({ id: "R1" } as Run, {} as AdoptOptions), /no such executor/);
});
