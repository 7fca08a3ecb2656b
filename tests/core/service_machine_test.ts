import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type InstanceEffect,
  type InstanceEvent,
  type InstancePhase,
  type InstancePolicy,
  type InstanceState,
  type Life,
  step,
  stoppedInstance,
} from "../../src/core/service_machine.ts";

const policy: InstancePolicy = {
  restart: "always",
  restartDelay: 1000,
  restartBackoff: "exponential",
  healthyAfter: 5000,
  startRetries: -1,
  hasHealthCheck: false,
};
const pure = { permissions: "none" } as const;
const failedFast: Life = { reason: "failed", isFailure: true, ranFor: 100 };

function at(phase: InstancePhase, own: Partial<InstanceState> = {}): InstanceState {
  const want = phase === "stopped" ? "down" : "up";
  const ending = { life: failedFast, failedStarts: 1, isLastTry: false };
  return {
    phase,
    want,
    failedStarts: 0,
    unhealthy: false,
    again: false,
    ...(phase === "ending" ? { ending } : {}),
    ...own,
  };
}

/** A life ends, and its end is stored at once. */
function over(policy: InstancePolicy, state: InstanceState, life: Life): ReturnType<typeof step> {
  const [ending, before] = step(policy, state, { type: "ended", life });
  const [next, after] = step(policy, ending, { type: "stored" });
  return [next, [...before, ...after]];
}

/** Effects as short words: "launch", "set healthy 5000". */
function words(effects: readonly InstanceEffect[]): string[] {
  return effects.map((effect) => {
    switch (effect.do) {
      case "stop_run":
        return `stop_run ${effect.reason}`;
      case "set_timer":
        return `set ${effect.timer} ${effect.ms}`;
      case "clear_timer":
        return `clear ${effect.timer}`;
      case "record":
        return effect.isLastTry ? "record last" : "record";
      case "give_up":
      case "report_failing":
        return `${effect.do} ${effect.tries}`;
      default:
        return effect.do;
    }
  });
}

const launch = ["clear backoff", "set healthy 5000", "launch"];
const events: Record<string, InstanceEvent> = {
  "start by hand": { type: "start", byHand: true, ready: false },
  "start ready": { type: "start", byHand: false, ready: true },
  "start early": { type: "start", byHand: false, ready: false },
  ready: { type: "ready" },
  stop: { type: "stop" },
  restart: { type: "restart" },
  "timer healthy": { type: "timer", timer: "healthy" },
  "timer backoff": { type: "timer", timer: "backoff" },
  passed: { type: "passed" },
  failed_check: { type: "failed_check" },
  check_changed: { type: "check_changed" },
  not_launched: { type: "not_launched" },
  ended: { type: "ended", life: failedFast },
  stored: { type: "stored" },
};

const startable: Record<string, [InstancePhase, string[]]> = {
  "start by hand": ["starting", launch],
  "start ready": ["starting", launch],
  "start early": ["waiting", []],
  restart: ["starting", launch],
  stop: ["stopped", ["clear backoff"]],
};
const backsOff: [InstancePhase, string[]] = ["backing_off", ["clear healthy", "set backoff 1000"]];
const ends: [InstancePhase, string[]] = ["ending", ["clear healthy", "record"]];
const stops: [InstancePhase, string[]] = ["stopping", ["clear healthy", "stop_run stopped"]];

/** The table as it should be. What is not listed changes nothing. */
const table: Record<InstancePhase, Record<string, [InstancePhase, string[]]>> = {
  stopped: startable,
  done: startable,
  fatal: startable,
  waiting: { ...startable, ready: ["starting", launch] },
  backing_off: { ...startable, "timer backoff": ["starting", launch] },
  starting: {
    restart: stops,
    stop: stops,
    "timer healthy": ["healthy", ["became_healthy"]],
    passed: ["healthy", ["became_healthy"]],
    failed_check: ["stopping", ["clear healthy", "stop_run unhealthy"]],
    check_changed: ["starting", ["set healthy 5000"]],
    not_launched: backsOff,
    ended: ends,
  },
  healthy: {
    restart: stops,
    stop: stops,
    failed_check: ["stopping", ["clear healthy", "stop_run unhealthy"]],
    ended: ends,
  },
  stopping: {
    "start by hand": ["stopping", []],
    "start ready": ["stopping", []],
    "start early": ["stopping", []],
    restart: ["stopping", []],
    stop: ["stopping", []],
    ended: ends,
  },
  ending: {
    "start by hand": ["ending", []],
    "start ready": ["ending", []],
    "start early": ["ending", []],
    restart: ["ending", []],
    stop: ["ending", []],
    stored: ["backing_off", ["set backoff 1000"]],
  },
};

for (const phase of Object.keys(table) as InstancePhase[]) {
  Deno.test(`step() does in phase ${phase} what the table of instances says`, pure, () => {
    for (const [name, event] of Object.entries(events)) {
      const [next, effects] = step(policy, at(phase), event);
      const [wanted, doing] = table[phase][name] ?? [phase, []];
      assert.equal(next.phase, wanted, name);
      assert.deepEqual(words(effects), doing, name);
    }
  });
}

Deno.test("step() launches without delay after a restart, whatever the policy says of the end", pure, () => {
  const never = { ...policy, restart: "never" as const };
  const [stopping] = step(never, at("healthy", { failedStarts: 4 }), { type: "restart" });
  const life: Life = { reason: "stopped", isFailure: false, ranFor: 9000 };
  const [state, effects] = over(never, stopping, life);
  assert.equal(state.phase, "starting");
  assert.equal(state.failedStarts, 0);
  assert.deepEqual(words(effects), ["clear healthy", "record", ...launch]);
});

Deno.test("step() lets the last wish win while a process is being ended", pure, () => {
  const end: InstanceEvent = { type: "ended", life: { reason: "stopped", isFailure: false, ranFor: 1 } };
  // Also after it, as long as that is not stored.
  const after = (...wishes: InstanceEvent[]): InstancePhase => {
    const last = Array.from({ length: wishes.length + 1 }, (_, at) => {
      let state = at0;
      for (const event of [...wishes.toSpliced(at, 0, end), events.stored!]) {
        [state] = step(policy, state, event);
      }
      return state.phase;
    });
    // What comes before all wishes is an end that nobody asked for.
    assert.equal(new Set(last.slice(1)).size, 1);
    return last.at(-1)!;
  };
  const at0 = at("healthy");
  const [stop, start, restart] = [events.stop!, events["start by hand"]!, events.restart!];
  assert.equal(after(stop), "stopped");
  assert.equal(after(stop, start), "starting");
  assert.equal(after(stop, start, stop), "stopped");
  assert.equal(after(restart, stop), "stopped");
  assert.equal(after(restart), "starting");
});

Deno.test("step() follows the restart policy", pure, () => {
  const phase = (restart: InstancePolicy["restart"], isFailure: boolean): InstancePhase => {
    const life: Life = { reason: isFailure ? "failed" : "success", isFailure, ranFor: 9000 };
    return over({ ...policy, restart }, at("healthy"), life)[0].phase;
  };
  assert.equal(phase("always", false), "backing_off");
  assert.equal(phase("always", true), "backing_off");
  assert.equal(phase("on_failure", true), "backing_off");
  assert.equal(phase("on_failure", false), "done");
  assert.equal(phase("never", true), "done");
});

Deno.test("step() stays down after the end of its run by hand or by the daemon", pure, () => {
  for (const reason of ["stopped", "daemon_stopped"] as const) {
    const [state, effects] = over(policy, at("healthy"), { reason, isFailure: true, ranFor: 9 });
    assert.deepEqual(state, stoppedInstance);
    assert.deepEqual(words(effects), ["clear healthy", "record"]);
  }
});

Deno.test(
  "step() starts anew what a daemon was stopping that did not live to see it, where the next one wants that",
  pure,
  () => {
    const [stopping] = step(policy, at("stopping"), { type: "start", byHand: false, ready: true });
    const [state, effects] = over(policy, stopping, { reason: "daemon_stopped", isFailure: true, ranFor: 9 });
    assert.equal(state.phase, "starting");
    assert.ok(words(effects).some((word) => word.startsWith("launch")));
  },
);

Deno.test(
  "step() waits longer after each failed start, reports the third, and gives up after start_retries",
  pure,
  () => {
    const patient = { ...policy, startRetries: 4 };
    let state = at("starting");
    const told: string[] = [];
    for (let i = 0; i < 5; i++) {
      const [ended, effects] = over(patient, state, failedFast);
      told.push(words(effects).slice(1).join(", "));
      [state] = step(patient, ended, { type: "timer", timer: "backoff" });
    }
    assert.deepEqual(told, [
      "record, set backoff 1000",
      "record, set backoff 2000",
      "record, set backoff 4000, report_failing 3",
      "record, set backoff 8000",
      "record last, give_up 5",
    ]);
    assert.equal(state.phase, "fatal");
  },
);

Deno.test("step() counts anew after a life of healthy_after", pure, () => {
  const life: Life = { reason: "failed", isFailure: true, ranFor: 5000 };
  const [state, effects] = over(policy, at("healthy", { failedStarts: 5 }), life);
  assert.equal(state.failedStarts, 0);
  assert.deepEqual(words(effects), ["clear healthy", "record", "set backoff 1000"]);
});

Deno.test(
  "step() leaves it to the health check, where there is one, to call an instance healthy",
  pure,
  () => {
    const [state, effects] = step(
      { ...policy, hasHealthCheck: true },
      at("stopped"),
      events["start by hand"]!,
    );
    assert.equal(state.phase, "starting");
    assert.deepEqual(words(effects), ["clear backoff", "launch"]);
  },
);

Deno.test("step() leaves healthy_after aside once a health check has come", pure, () => {
  const [state, effects] = step({ ...policy, hasHealthCheck: true }, at("starting"), events.check_changed!);
  assert.equal(state.phase, "starting");
  assert.deepEqual(words(effects), ["clear healthy"]);
});

Deno.test("step() counts no failed start where the database refused one", pure, () => {
  const [state] = step(policy, at("starting", { failedStarts: 2 }), events.not_launched!);
  assert.deepEqual(state, at("backing_off", { failedStarts: 2 }));
});

Deno.test("step() calls an instance unhealthy by its last life only", pure, () => {
  const before = at("starting", { unhealthy: true });
  assert.equal(over(policy, before, failedFast)[0].unhealthy, false);
});

Deno.test(
  "step() remembers that a health check ended the last life, until the next one is healthy",
  pure,
  () => {
    let [state] = step(policy, at("healthy"), { type: "failed_check" });
    [state] = over(policy, state, { reason: "unhealthy", isFailure: true, ranFor: 60_000 });
    assert.equal(state.phase, "backing_off");
    assert.equal(state.unhealthy, true);
    [state] = step(policy, state, { type: "timer", timer: "backoff" });
    assert.equal(state.unhealthy, true);
    [state] = step(policy, state, { type: "passed" });
    assert.equal(state.unhealthy, false);
  },
);

const anyLife: fc.Arbitrary<Life> = fc.record({
  reason: fc.constantFrom(
    "success",
    "failed",
    "crashed",
    "stopped",
    "start_failed",
    "unhealthy",
    "daemon_stopped",
  ),
  isFailure: fc.boolean(),
  ranFor: fc.constantFrom(0, 4999, 5000, 100_000),
});
const anyEvent: fc.Arbitrary<InstanceEvent> = fc.oneof(
  fc.record({ type: fc.constant("start" as const), byHand: fc.boolean(), ready: fc.boolean() }),
  fc.constantFrom<InstanceEvent>(
    { type: "ready" },
    { type: "stop" },
    { type: "restart" },
    { type: "passed" },
    { type: "failed_check" },
    { type: "check_changed" },
    { type: "timer", timer: "healthy" },
    { type: "timer", timer: "backoff" },
    { type: "stored" },
  ),
  fc.record({ type: fc.constant("ended" as const), life: anyLife }),
);
const anyPolicy: fc.Arbitrary<InstancePolicy> = fc.record({
  restart: fc.constantFrom("always", "on_failure", "never"),
  restartDelay: fc.constantFrom(0, 1000),
  restartBackoff: fc.constantFrom("constant", "linear", "exponential"),
  healthyAfter: fc.constantFrom(0, 5000),
  startRetries: fc.constantFrom(-1, 0, 3),
  hasHealthCheck: fc.boolean(),
});

const lively = new Set<InstancePhase>(["starting", "healthy", "stopping"]);

Deno.test(
  "step() holds to what it recorded of an end, whatever definition comes before that is stored",
  pure,
  () => {
    const patient = { ...policy, startRetries: 0 };
    const [last] = step(patient, at("starting"), { type: "ended", life: failedFast });
    const [fatal, effects] = step(policy, last, { type: "stored" });
    assert.equal(fatal.phase, "fatal");
    assert.deepEqual(words(effects), ["give_up 1"]);
    const [more] = step(policy, at("starting"), { type: "ended", life: failedFast });
    assert.equal(step(patient, more, { type: "stored" })[0].phase, "backing_off");
    // Whether it is wanted up at all is the newest definition's to say.
    assert.equal(step({ ...policy, restart: "never" }, more, { type: "stored" })[0].phase, "done");
  },
);

Deno.test("step() never launches while a process lives, and always knows whether one does", pure, () => {
  fc.assert(
    fc.property(anyPolicy, fc.array(anyEvent, { maxLength: 40 }), (policy, events) => {
      let state: InstanceState = { ...stoppedInstance };
      let alive = false;
      for (const event of events) {
        if (event.type === "ended" && !alive) continue;
        if (event.type === "ended") alive = false;
        const [next, effects] = step(policy, state, event);
        for (const effect of effects) {
          if (effect.do === "launch") {
            assert.equal(alive, false);
            alive = true;
          }
          if (effect.do === "stop_run") assert.equal(alive, true);
          if (effect.do === "set_timer") assert.ok(effect.ms >= 0 && effect.ms <= 60_000);
        }
        assert.equal(lively.has(next.phase), alive);
        state = next;
      }
    }),
    { seed: 4, numRuns: 3000 },
  );
});

Deno.test("step() launches nothing after a stop until somebody wants it up again", pure, () => {
  const wishes = new Set(["start", "restart"]);
  fc.assert(
    fc.property(
      anyPolicy,
      fc.array(anyEvent, { maxLength: 20 }),
      fc.array(anyEvent.filter(({ type }) => !wishes.has(type)), { maxLength: 20 }),
      (policy, before, after) => {
        let state: InstanceState = { ...stoppedInstance };
        for (const event of before) [state] = step(policy, state, event);
        [state] = step(policy, state, { type: "stop" });
        for (const event of after) {
          const [next, effects] = step(policy, state, event);
          assert.ok(!effects.some((effect) => effect.do === "launch"));
          assert.equal(next.want, "down");
          state = next;
        }
      },
    ),
    { seed: 5, numRuns: 3000 },
  );
});
