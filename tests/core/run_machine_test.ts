import assert from "node:assert/strict";
import fc from "fast-check";
import {
  askEvery,
  begin,
  killPatience,
  type LeftRun,
  type RunEffect,
  type RunEvent,
  type RunPhase,
  type RunPolicy,
  type RunState,
  step,
  takeUp,
} from "../../src/core/run_machine.ts";

const policy: RunPolicy = { timeout: 60_000, gracefulStop: 5000, stopSignal: "SIGTERM", killStrays: true };
const pure = { permissions: "none" } as const;

function at(phase: RunPhase, own: Partial<RunState> = {}): RunState {
  return { phase, pipesClosed: false, signalled: false, ...own };
}

/** Effects as short words: "signal SIGTERM", "set grace 5000". */
function words(effects: readonly RunEffect[]): string[] {
  return effects.map((effect) => {
    switch (effect.do) {
      case "signal":
        return `signal ${effect.signal}`;
      case "signal_rest":
        return `signal_rest ${effect.signal}`;
      case "sweep":
        return `sweep ${effect.what}`;
      case "set_timer":
        return `set ${effect.timer} ${effect.ms}`;
      case "clear_timer":
        return `clear ${effect.timer}`;
      case "say":
        return `say ${effect.text}`;
      default:
        return effect.do;
    }
  });
}

const exit = { code: 0 };
const events: RunEvent[] = [
  { type: "exited", exit },
  { type: "pipes_closed" },
  { type: "stop", reason: "stopped" },
  { type: "kill", reason: "daemon_stopped" },
  { type: "timer", timer: "timeout" },
  { type: "timer", timer: "grace" },
  { type: "timer", timer: "pipes" },
  { type: "timer", timer: "look" },
  { type: "timer", timer: "last" },
  { type: "timer", timer: "ask" },
  { type: "asked", lives: true },
  { type: "looked", rest: [] },
  { type: "swept", left: [] },
];

/** The table as it should be: per phase, what each event leads to. What is not listed changes nothing. */
const table: Record<RunPhase, Record<string, [RunPhase, string[]]>> = {
  running: {
    exited: ["closing", ["clear timeout", "clear ask", "clear grace", "clear last", "set pipes 2000"]],
    pipes_closed: ["running", ["clear ask", "set ask 5000"]],
    "timer ask": ["running", ["ask"]],
    asked: ["running", ["clear ask", "set ask 60000"]],
    stop: ["stopping", [
      "clear timeout",
      "clear ask",
      "say stop requested: SIGTERM sent",
      "signal SIGTERM",
      "set grace 5000",
    ]],
    kill: ["killing", [
      "clear timeout",
      "clear ask",
      "clear grace",
      "say SIGKILL: no time is left",
      "kill_all",
      "set last 5000",
    ]],
    "timer timeout": [
      "stopping",
      [
        "clear timeout",
        "clear ask",
        "say timeout after 60 s: SIGTERM sent",
        "signal SIGTERM",
        "set grace 5000",
      ],
    ],
  },
  stopping: {
    exited: ["leaving", ["look"]],
    pipes_closed: ["stopping", []],
    kill: ["killing", [
      "clear timeout",
      "clear ask",
      "clear grace",
      "say SIGKILL: no time is left",
      "kill_all",
      "set last 5000",
    ]],
    "timer grace": [
      "killing",
      [
        "clear timeout",
        "clear ask",
        "clear grace",
        "say SIGKILL: still alive 5 s after SIGTERM",
        "kill_all",
        "set last 5000",
      ],
    ],
  },
  killing: {
    exited: ["closing", ["clear timeout", "clear ask", "clear grace", "clear last", "set pipes 2000"]],
    pipes_closed: ["killing", []],
    kill: ["killing", ["kill_all"]],
    asked: ["killing", ["clear ask", "set ask 60000", "say still alive 5 s after SIGKILL", "unkillable"]],
    "timer last": ["killing", ["ask"]],
    "timer ask": ["killing", ["ask"]],
  },
  leaving: {
    pipes_closed: ["leaving", ["clear look", "look"]],
    kill: ["closing", [
      "say SIGKILL: no time is left",
      "kill_rest",
      "clear grace",
      "clear look",
      "set pipes 2000",
    ]],
    looked: ["closing", ["clear grace", "clear look", "set pipes 2000"]],
    "timer look": ["leaving", ["look"]],
    "timer grace": ["closing", [
      "say SIGKILL: still alive 5 s after SIGTERM",
      "kill_rest",
      "clear grace",
      "clear look",
      "set pipes 2000",
    ]],
  },
  closing: {
    pipes_closed: ["sweeping", ["clear pipes", "sweep strays"]],
    "timer pipes": ["sweeping", ["abandon_pipes", "clear pipes", "sweep strays"]],
    stop: ["sweeping", ["clear pipes", "abandon_pipes", "clear pipes", "sweep strays"]],
    kill: ["sweeping", ["clear pipes", "abandon_pipes", "clear pipes", "sweep strays"]],
  },
  sweeping: { swept: ["ended", ["end"]] },
  ended: {},
};

for (const phase of Object.keys(table) as RunPhase[]) {
  Deno.test(`step() does in phase ${phase} what the table of runs says`, pure, () => {
    for (const event of events) {
      const name = event.type === "timer" ? `timer ${event.timer}` : event.type;
      const [next, effects] = step(policy, at(phase), event);
      const [wanted, doing] = table[phase][name] ?? [phase, []];
      assert.equal(next.phase, wanted, name);
      assert.deepEqual(words(effects), doing, name);
    }
  });
}

Deno.test("begin() sets the timer of the timeout, and none where there is no timeout", pure, () => {
  assert.deepEqual(words(begin(policy)[1]), ["set ask 60000", "set timeout 60000"]);
  assert.deepEqual(words(begin({ ...policy, timeout: 0 })[1]), ["set ask 60000"]);
});

Deno.test("step() kills at once where there is no grace", pure, () => {
  const [state, effects] = step({ ...policy, gracefulStop: 0 }, at("running"), {
    type: "stop",
    reason: "stopped",
  });
  assert.equal(state.phase, "killing");
  assert.deepEqual(words(effects).slice(-3), ["say stop requested: SIGKILL", "kill_all", "set last 5000"]);
});

Deno.test("step() remembers the first reason for which a run is to end", pure, () => {
  let [state] = step(policy, at("running"), { type: "timer", timer: "timeout" });
  [state] = step(policy, state, { type: "stop", reason: "stopped" });
  [state] = step(policy, state, { type: "kill", reason: "daemon_stopped" });
  assert.equal(state.want, "timeout");
});

Deno.test("step() sweeps at once when the pipes have ended before the process", pure, () => {
  const [drained] = step(policy, at("running"), { type: "pipes_closed" });
  const [state, effects] = step(policy, drained, { type: "exited", exit });
  assert.equal(state.phase, "sweeping");
  assert.ok(words(effects).includes("sweep strays"));
});

Deno.test("step() leaves strays alone where the unit says so, unless the run was stopped", pure, () => {
  const keep = { ...policy, killStrays: false };
  const [state, effects] = step(keep, at("closing"), { type: "pipes_closed" });
  assert.equal(state.phase, "sweeping");
  assert.deepEqual(words(effects), ["clear pipes", "sweep spare"]);
  const [stopped, all] = step(keep, at("closing", { want: "stopped" }), { type: "pipes_closed" });
  assert.equal(stopped.phase, "sweeping");
  assert.deepEqual(words(all), ["clear pipes", "sweep all"]);
});

Deno.test("step() names what survived", pure, () => {
  const [, effects] = step(policy, at("sweeping"), {
    type: "swept",
    left: [{ pid: 7, name: "" }, { pid: 8, name: "cat" }],
  });
  assert.deepEqual(words(effects), ["say still alive after SIGKILL: pid 7, pid 8 (cat)", "end"]);
});

const someProcesses = fc.array(fc.record({ pid: fc.nat(), name: fc.string() }), { maxLength: 2 });
const anyEvent: fc.Arbitrary<RunEvent> = fc.oneof(
  fc.record({ type: fc.constant("exited" as const), exit: fc.record({ code: fc.nat(255) }) }),
  fc.constant<RunEvent>({ type: "pipes_closed" }),
  fc.record({
    type: fc.constantFrom("stop" as const, "kill" as const),
    reason: fc.constantFrom(
      "stopped" as const,
      "timeout" as const,
      "log_overflow" as const,
      "daemon_stopped" as const,
      "unhealthy" as const,
    ),
  }),
  fc.record({
    type: fc.constant("timer" as const),
    timer: fc.constantFrom(
      "timeout" as const,
      "grace" as const,
      "pipes" as const,
      "look" as const,
      "last" as const,
      "ask" as const,
    ),
  }),
  fc.record({
    type: fc.constant("asked" as const),
    lives: fc.option(fc.boolean(), { nil: undefined }),
  }),
  fc.record({ type: fc.constant("swept" as const), left: someProcesses }),
  fc.record({ type: fc.constant("looked" as const), rest: fc.option(someProcesses, { nil: undefined }) }),
);
const anyPolicy = fc.record({
  timeout: fc.constantFrom(0, 1000),
  gracefulStop: fc.constantFrom(0, 5000),
  stopSignal: fc.constantFrom("SIGTERM", "SIGINT"),
  killStrays: fc.boolean(),
});

Deno.test("step() never throws, ends a run at most once, and does nothing after the end", pure, () => {
  fc.assert(
    fc.property(anyPolicy, fc.array(anyEvent, { maxLength: 30 }), (policy, events) => {
      let [state] = begin(policy);
      let ends = 0;
      for (const event of events) {
        const before = state;
        const [next, effects] = step(policy, state, event);
        if (before.phase === "ended") assert.deepEqual([next, effects], [before, []]);
        ends += effects.filter((effect) => effect.do === "end").length;
        assert.equal(next.phase === "ended", ends === 1);
        if (next.phase === "ended") assert.ok(next.exit !== undefined, "only a process that has ended");
        state = next;
      }
      assert.ok(ends <= 1);
    }),
    { seed: 1, numRuns: 2000 },
  );
});

Deno.test("step() signals no process that has ended, and leaves no timer set at the end", pure, () => {
  fc.assert(
    fc.property(anyPolicy, fc.array(anyEvent, { maxLength: 30 }), (policy, events) => {
      const timers = new Set<string>();
      let [state, effects] = begin(policy);
      let alive = true;
      const note = (): void => {
        for (const effect of effects) {
          if (effect.do === "set_timer") timers.add(effect.timer);
          if (effect.do === "clear_timer") timers.delete(effect.timer);
          if (effect.do === "signal" || effect.do === "kill_all") assert.ok(alive);
          if (effect.do === "signal_rest" || effect.do === "kill_rest") assert.ok(!alive);
          if (effect.do === "end") assert.deepEqual([...timers], []);
        }
      };
      note();
      for (const event of events) {
        // A timer fires only when it is set, and a process ends once.
        if (event.type === "timer" && !timers.delete(event.timer)) continue;
        if (event.type === "exited" && !alive) continue;
        if (event.type === "exited") alive = false;
        [state, effects] = step(policy, state, event);
        note();
      }
    }),
    { seed: 2, numRuns: 2000 },
  );
});

Deno.test("step() brings every run to its end once it is stopped and what it asks for happens", pure, () => {
  fc.assert(
    fc.property(anyPolicy, fc.array(anyEvent, { maxLength: 10 }), fc.boolean(), (policy, events, obeys) => {
      let [state] = begin(policy);
      for (const event of events) [state] = step(policy, state, event);
      let inbox: RunEvent[] = [{ type: "stop", reason: "stopped" }];
      for (let turn = 0; turn < 20 && state.phase !== "ended"; turn++) {
        const event = inbox.shift() ??
          { type: "timer", timer: state.phase === "closing" ? "pipes" : "grace" };
        const [next, effects] = step(policy, state, event);
        state = next;
        for (const effect of effects) {
          if (effect.do === "kill_all" || (effect.do === "signal" && obeys)) {
            inbox.push({ type: "exited", exit: { code: 137 } }, { type: "pipes_closed" });
          }
          if (effect.do === "look") inbox.push({ type: "looked", rest: obeys ? [] : [{ pid: 7, name: "" }] });
          if (effect.do === "sweep") inbox = [{ type: "swept", left: [] }];
        }
        if (state.phase === "killing" && inbox.length === 0) {
          inbox.push({ type: "exited", exit: { code: 137 } });
        }
        if (state.phase === "sweeping" && inbox.length === 0) inbox.push({ type: "swept", left: [] });
      }
      assert.equal(state.phase, "ended");
    }),
    { seed: 3, numRuns: 1000 },
  );
});

Deno.test(
  "step() gives the rest of a run what is left of the grace, and names what it kills then",
  pure,
  () => {
    const rest = [{ pid: 7, name: "server" }];
    const [stopping] = step(policy, at("running"), { type: "stop", reason: "stopped" });
    const [leaving, first] = step(policy, stopping, {
      type: "exited",
      exit: { code: 143, signal: "SIGTERM" },
    });
    assert.deepEqual([leaving.phase, words(first)], ["leaving", ["look"]]);
    const [seen, told] = step(policy, leaving, { type: "looked", rest });
    assert.deepEqual(words(told), ["clear look", "signal_rest SIGTERM", "set look 200"]);
    const [again, once] = step(policy, seen, { type: "looked", rest });
    assert.deepEqual(words(once), ["clear look", "set look 200"]);
    const [killed, effects] = step(policy, again, { type: "timer", timer: "grace" });
    assert.equal(killed.phase, "closing");
    assert.deepEqual(words(effects).slice(0, 2), [
      "say SIGKILL: still alive 5 s after SIGTERM: pid 7 (server)",
      "kill_rest",
    ]);
    const [over, last] = step(policy, { ...again, pipesClosed: true }, { type: "looked", rest: [] });
    assert.deepEqual([over.phase, words(last)], ["sweeping", [
      "clear grace",
      "clear look",
      "clear pipes",
      "sweep all",
    ]]);
  },
);

Deno.test("step() goes by the pipes where it can't be told what is left of a run", pure, () => {
  const untold: RunEvent = { type: "looked", rest: undefined };
  const leaving = at("leaving", { want: "stopped", exit });
  assert.equal(step(policy, leaving, untold)[0].phase, "leaving");
  assert.equal(step(policy, { ...leaving, pipesClosed: true }, untold)[0].phase, "sweeping");
});

Deno.test("step() kills once more, when the daemon stops, what lived on after SIGKILL", pure, () => {
  const stuck = at("killing", { want: "stopped", isStuck: true });
  const [, effects] = step(policy, stuck, { type: "stop", reason: "daemon_stopped" });
  assert.deepEqual(words(effects), ["clear ask", "kill_all", "set last 5000"]);
  assert.deepEqual(step(policy, stuck, { type: "stop", reason: "stopped" }), [stuck, []]);
});

Deno.test(
  "step() ends a run whose process is gone, though nobody told of its end: asked for twice",
  pure,
  () => {
    for (const phase of ["running", "killing"] as const) {
      const gone: RunEvent = { type: "asked", lives: false };
      const [missed, first] = step(policy, at(phase), gone);
      assert.deepEqual([missed.phase, words(first)], [phase, ["clear ask", "set ask 2000"]]);
      const [ended, effects] = step(policy, missed, gone);
      assert.deepEqual([ended.phase, ended.exit?.code], ["closing", 255]);
      assert.equal(words(effects)[0], "say its process is gone, and nobody was told of its end");
      // The word of its end was on its way.
      assert.equal(step(policy, missed, { type: "exited", exit })[0].exit, exit);
      // It was not gone after all.
      const [lives] = step(policy, missed, { type: "asked", lives: true });
      assert.equal(step(policy, lives, gone)[0].phase, phase);
    }
  },
);

Deno.test("step() says of what lives on after SIGKILL what is known, once, and goes on asking", pure, () => {
  const said = new Map<boolean | undefined, string>([
    [true, "say still alive 5 s after SIGKILL"],
    [undefined, "say whether it is still alive 5 s after SIGKILL can't be told"],
  ]);
  for (const [lives, text] of said) {
    const answer: RunEvent = { type: "asked", lives };
    const [stuck, effects] = step(policy, at("killing"), answer);
    assert.deepEqual(words(effects), ["clear ask", "set ask 60000", text, "unkillable"]);
    assert.deepEqual(words(step(policy, stuck, answer)[1]), ["clear ask", "set ask 60000"]);
  }
});

Deno.test("step() lets pipes be read on that strays hold who may live on", pure, () => {
  const keep = { ...policy, killStrays: false };
  const [, effects] = step(keep, at("closing"), { type: "timer", timer: "pipes" });
  assert.deepEqual(words(effects).slice(1), ["release_pipes", "clear pipes", "sweep spare"]);
  const [, all] = step(keep, at("closing", { want: "stopped" }), { type: "timer", timer: "pipes" });
  assert.deepEqual(words(all), ["abandon_pipes", "clear pipes", "sweep all"]);
});

Deno.test("takeUp() goes on with what is left of each time, and sends no signal twice", pure, () => {
  const known = { ...policy, timeout: 60_000, gracefulStop: 10_000 };
  const timersOf = (left: Omit<LeftRun, "isAsked">): Record<string, number> => {
    const [, effects] = takeUp(known, { ...left, isAsked: true });
    assert.ok(!effects.some((effect) => effect.do === "signal"));
    return Object.fromEntries(effects.flatMap((one) => one.do === "set_timer" ? [[one.timer, one.ms]] : []));
  };
  assert.deepEqual(timersOf({ phase: "running", ranFor: 15_000, askedFor: 0 }), {
    ask: askEvery,
    timeout: 45_000,
  });
  assert.deepEqual(timersOf({ phase: "running", ranFor: 1e9, askedFor: 0 }), { ask: askEvery, timeout: 0 });
  const asked = { want: "stopped", ranFor: 1e9 } as const;
  assert.deepEqual(timersOf({ ...asked, phase: "stopping", askedFor: 4000 }), { grace: 6000 });
  assert.deepEqual(timersOf({ ...asked, phase: "stopping", askedFor: 1e9 }), { grace: 0 });
  assert.deepEqual(timersOf({ ...asked, phase: "stopping", askedFor: -1e9 }), { grace: 10_000 });
  assert.deepEqual(timersOf({ ...asked, phase: "killing", askedFor: 0 }), { last: killPatience });
});

Deno.test("takeUp() asks who was to be asked to end and was not, and gives it all of its grace", pure, () => {
  const left = { phase: "stopping", want: "stopped", ranFor: 1e9, askedFor: 1e9, isAsked: false } as const;
  const [{ phase }, effects] = takeUp({ ...policy, gracefulStop: 10_000 }, left);
  assert.equal(phase, "stopping");
  assert.deepEqual(effects.slice(1), [
    { do: "signal", signal: policy.stopSignal },
    { do: "set_timer", timer: "grace", ms: 10_000 },
  ]);
});

Deno.test("takeUp() stands where the run stood, for the reason that it had", pure, () => {
  const phaseOf = (left: Partial<LeftRun>): string => {
    const [{ phase, want, signalled }] = takeUp(policy, {
      phase: "running",
      ranFor: 0,
      askedFor: 0,
      isAsked: true,
      ...left,
    });
    return `${phase} ${want} ${signalled}`;
  };
  assert.equal(phaseOf({}), "running undefined false");
  assert.equal(phaseOf({ phase: "stopping" }), "running undefined false");
  assert.equal(phaseOf({ phase: "stopping", want: "timeout" }), "stopping timeout true");
  assert.equal(phaseOf({ phase: "killing", want: "unhealthy" }), "killing unhealthy true");
  const [, effects] = takeUp({ ...policy, gracefulStop: 0 }, {
    phase: "stopping",
    want: "stopped",
    ranFor: 0,
    askedFor: 0,
    isAsked: true,
  });
  assert.equal(effects[0]?.do, "kill_all");
});
