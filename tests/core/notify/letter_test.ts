import assert from "node:assert/strict";
import type { Happening } from "../../../src/core/notices.ts";
import { letterOf } from "../../../src/core/notify/letter.ts";
import type { Delivery } from "../../../src/core/notify/outbox.ts";

const pure = { permissions: "none" } as const;
const head = { externalUrl: "https://svc.example.com", host: "box", now: 3_600_000 };

function delivery(own: Partial<Happening> = {}, row: Partial<Delivery> = {}): Delivery {
  const happening: Happening = {
    kind: "run.failed",
    reason: "failed",
    severity: "error",
    unit: "backup",
    runId: "R1",
    isFailure: true,
    title: 'Task "backup" failed',
    body: "exit code 1",
    at: 1000,
    ...own,
  };
  const content = { about: "notice", happening } as const;
  const rest = { id: "D1", channel: "ops", fingerprint: "f", windowAt: 0, count: 1, isSummary: false };
  return { ...rest, dueAt: 0, attempts: 0, content, ...row };
}

Deno.test("letterOf() tells what happened, with a link to the run", pure, () => {
  assert.deepEqual(letterOf([delivery()], head), {
    kind: "run.failed",
    severity: "error",
    title: 'Task "backup" failed',
    body: "exit code 1",
    unit: "backup",
    runId: "R1",
    link: "https://svc.example.com/runs/R1",
    host: "box",
    at: 1000,
    count: 1,
    isFailure: true,
    reason: "failed",
  });
  assert.equal(letterOf([delivery({ runId: "" })], head).link, "https://svc.example.com/units/backup");
  assert.equal(letterOf([delivery({ runId: "", unit: "" })], head).link, "https://svc.example.com");
  assert.equal(letterOf([delivery()], { ...head, externalUrl: "" }).link, "");
});

Deno.test("letterOf() says in a summary how many there were", pure, () => {
  const { title, count } = letterOf([delivery({ at: 60_000 }, { count: 10_000, isSummary: true })], head);
  assert.equal(title, 'Task "backup" failed: 10000 times within 1 m 00 s');
  assert.equal(count, 10_000);
});

Deno.test("letterOf() makes one message of many, as grave as the gravest", pure, () => {
  const many = Array.from(
    { length: 30 },
    (_, n) =>
      delivery({
        title: `Task "t${n}" recovered`,
        kind: "run.recovered",
        severity: "info",
        isFailure: false,
      }),
  );
  many[29] = delivery({ title: 'Task "x" failed' }, { count: 5, isSummary: true });
  const { title, body, severity, kind, count, isFailure } = letterOf(many, head);
  assert.equal(title, "33 notices from box");
  assert.deepEqual([severity, kind, count, isFailure], ["error", "digest", 33, true]);
  const lines = body.split("\n");
  assert.equal(lines.length, 21);
  assert.equal(lines[0], '- Task "t0" recovered');
  assert.equal(lines[20], "and 10 more");
});
