import assert from "node:assert/strict";
import { instanceOf, instanceWords, type KeptWords, readKept, writeKept } from "../../src/core/kept_words.ts";
import { stoppedInstance } from "../../src/core/service_machine.ts";

const pure = { permissions: "none" } as const;

Deno.test("readKept() gives back what writeKept() wrote", pure, () => {
  const all: KeptWords[] = [
    { run: { phase: "running" } },
    { run: { phase: "running", outputFailed: true } },
    { run: { phase: "stopping", want: "timeout", why: "it was not done", askedAt: 5 } },
    {
      run: { phase: "killing", want: "daemon_stopped", askedAt: 5 },
      instance: { phase: "healthy", want: "down", failedStarts: 3, unhealthy: true, again: true },
    },
  ];
  for (const words of all) assert.deepEqual(readKept(writeKept(words)), words);
});

Deno.test("readKept() takes whatever makes no sense as if nothing had been written", pure, () => {
  const nothing = { run: { phase: "running" } };
  const senseless = [
    "",
    "nonsense",
    "null",
    "7",
    "[]",
    "{}",
    '{"run":7,"instance":"x"}',
    '{"run":{"phase":"sweeping","want":"stopped"}}',
    '{"run":{"phase":"stopping"}}',
    '{"run":{"phase":"stopping","want":"success"}}',
    '{"run":{"phase":"running","want":"stopped"}}',
    '{"instance":{"phase":"fatal","want":"up"}}',
    '{"instance":{"phase":"__proto__"}}',
  ];
  for (const text of senseless) assert.deepEqual(readKept(text), nothing, text);
  assert.deepEqual(readKept('{"run":{"phase":"killing","want":"stopped","why":1,"askedAt":"x"}}').run, {
    phase: "killing",
    want: "stopped",
  });
  assert.deepEqual(
    readKept('{"instance":{"phase":"starting","want":1,"failedStarts":-2,"again":"yes"}}').instance,
    {
      phase: "starting",
      want: "up",
      failedStarts: 0,
      unhealthy: false,
      again: false,
    },
  );
});

Deno.test("instanceWords() tells of an instance that has a life, and of no other", pure, () => {
  const words = { want: "up", failedStarts: 2, unhealthy: false, again: false } as const;
  for (const phase of ["starting", "healthy", "stopping"] as const) {
    assert.deepEqual(instanceWords({ ...words, phase }), { ...words, phase });
    assert.deepEqual(instanceOf({ ...words, phase }), { ...words, phase });
  }
  for (const phase of ["stopped", "waiting", "ending", "backing_off", "done", "fatal"] as const) {
    assert.equal(instanceWords({ ...words, phase }), undefined);
  }
  assert.deepEqual(instanceOf(undefined), { ...stoppedInstance, phase: "starting", want: "up" });
});
