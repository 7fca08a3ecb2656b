import assert from "node:assert/strict";
import { daemonLog, type LogFormat, type LogLevel } from "../../src/io/daemon_log.ts";
import { noon } from "../support/units.ts";

function lines(
  own: { level?: LogLevel; format?: LogFormat; times?: boolean },
  write: (log: ReturnType<typeof daemonLog>) => void,
): string[] {
  const found: string[] = [];
  write(
    daemonLog({
      level: "info",
      format: "text",
      times: true,
      now: () => noon,
      write: (line) => found.push(line),
      ...own,
    }),
  );
  return found;
}

Deno.test("daemonLog() writes a line an entry: time, level, message, values", () => {
  assert.deepEqual(
    lines({}, (log) => log.info("ready", { url: "http://127.0.0.1:8420", units: 3, none: undefined })),
    [
      "2027-01-15T12:00:00.000Z info  ready url=http://127.0.0.1:8420 units=3",
    ],
  );
  assert.deepEqual(lines({ times: false }, (log) => log.error("no", { why: "two words" })), [
    'error no why="two words"',
  ]);
});

Deno.test("daemonLog() can be asked for a trace only where it is wanted, so that nobody makes one for nothing", () => {
  const traced = lines({ level: "trace" }, (log) => log.trace?.("step", { after: "ended" }));
  assert.deepEqual(traced, ["2027-01-15T12:00:00.000Z trace step after=ended"]);
  assert.equal(lines({ level: "trace" }, (log) => log.debug("x")).length, 1);
  for (const level of ["debug", "info", "warn", "error"] as const) {
    assert.deepEqual(lines({ level }, (log) => assert.equal(log.trace, undefined)), []);
  }
});

Deno.test("daemonLog() leaves out what is below its level", () => {
  const all = (log: ReturnType<typeof daemonLog>): void => {
    for (const level of ["debug", "info", "warn", "error"] as const) log[level](level);
  };
  assert.equal(lines({ level: "debug" }, all).length, 4);
  assert.equal(lines({ level: "warn" }, all).length, 2);
});

Deno.test("daemonLog() tells journald how grave a line is", () => {
  const found: string[] = [];
  const log = daemonLog({
    level: "debug",
    format: "text",
    times: false,
    priorities: true,
    now: () => noon,
    write: (line) => found.push(line),
    keep: (line) => found.push(line),
  });
  for (const level of ["debug", "info", "warn", "error"] as const) log[level]("x");
  assert.deepEqual(found.filter((line) => line.startsWith("<")), [
    "<7>debug x",
    "<6>info  x",
    "<4>warn  x",
    "<3>error x",
  ]);
  assert.equal(found[1], "2027-01-15T12:00:00.000Z debug x");
});

Deno.test("daemonLog() lets no value break its line or speak to a terminal", () => {
  const [line, ...more] = lines({}, (log) => log.info("a\nb\x1b[31m", { x: "c\nd\x1b[0m" }));
  assert.deepEqual(more, []);
  // deno-lint-ignore no-control-regex -- this is what must not be there
  assert.ok(!/[\x00-\x1f\x7f]/.test(line!));
});

Deno.test("daemonLog() writes JSON that can be read back", () => {
  const [line] = lines({ format: "json" }, (log) => log.warn("a\nb", { n: 1, ok: true }));
  assert.deepEqual(JSON.parse(line!), {
    time: "2027-01-15T12:00:00.000Z",
    level: "warn",
    message: "a\nb",
    n: 1,
    ok: true,
  });
});

Deno.test("daemonLog() writes out 8-bit controls and what turns the direction of writing, in each format", () => {
  const hostile = "a\u009d8;;file:///x\u009cb\u202ec";
  for (const format of ["text", "json"] as const) {
    const [line = ""] = lines({ format }, (log) => log.info(hostile, { x: hostile }));
    assert.doesNotMatch(line, /[\u0080-\u009f\u202a-\u202e]/, format);
    assert.ok(line.includes("a\\u009d8;;file:///x\\u009cb\\u202ec"));
    if (format === "json") assert.equal(JSON.parse(line).x, hostile);
  }
});
