import assert from "node:assert/strict";
import fc from "fast-check";
import type { LogPolicy } from "../../../src/core/log/limits.ts";
import {
  type LogEffect,
  type LogEvent,
  type LogState,
  newLog,
  RETRY_MS,
  step,
} from "../../../src/core/log/log_machine.ts";

const pure = { permissions: "none" } as const;
const dropping: LogPolicy = { maxSize: 4096, onFull: "drop_new" };
const killing: LogPolicy = { maxSize: 4096, onFull: "kill_task" };

/** States by what stands between the lines and the disk. The disk is tried again at 2000. */
const states: Record<string, LogState> = {
  new: newLog,
  open: { ...newLog, isOpen: true },
  failing: { ...newLog, isOpen: true, lost: 3, failure: { message: "no space", lost: 3, retryAt: 2000 } },
  unopened: { ...newLog, failure: { message: "no space", lost: 0, retryAt: 2000 } },
  held: { ...newLog, isOpen: true, lost: 7, heldBack: 7 },
  "held, nothing lost": { ...newLog, isOpen: true, heldBack: 0 },
  "held and failing": {
    ...newLog,
    isOpen: true,
    lost: 10,
    heldBack: 7,
    failure: { message: "no space", lost: 3, retryAt: 2000 },
  },
  full: { ...newLog, isOpen: true, isFull: true },
  "full and held": { ...newLog, isOpen: true, isFull: true, lost: 7, heldBack: 7 },
};

const events: Record<string, LogEvent> = {
  "5 lines": { type: "output", lines: 5, why: undefined, at: 1500 },
  "5 lines later": { type: "output", lines: 5, why: undefined, at: 2000 },
  "5 lines without space": { type: "output", lines: 5, why: "the disk has 1 MB left", at: 1500 },
  wanted: { type: "wanted", at: 1999 },
  "wanted later": { type: "wanted", at: 2000 },
  opened: { type: "opened" },
  "2 refused": { type: "refused", message: "read-only", lost: 2, at: 1500 },
  recovered: { type: "recovered" },
  still_refused: { type: "still_refused", message: "read-only", at: 2000 },
  "5 missed": { type: "missed", lines: 5 },
  filled: { type: "filled", at: 1500 },
  ending: { type: "ending", at: 1500 },
  ended: { type: "ended", at: 1500 },
};

/** A state in words: "open, failing since 3 lines until 2000, lost 3". */
function words({ isOpen, failure, heldBack, isFull, lost }: LogState): string {
  return [
    isOpen ? "open" : "new",
    ...(isFull ? ["full"] : []),
    ...(heldBack === undefined ? [] : [`held ${heldBack}`]),
    ...(failure === undefined ? [] : [`${failure.message} ${failure.lost} until ${failure.retryAt}`]),
    ...(lost === 0 ? [] : [`lost ${lost}`]),
  ].join(", ");
}

function effectWords(effects: readonly LogEffect[]): string {
  return effects.map((effect) => "text" in effect ? `${effect.do} "${effect.text}"` : effect.do).join("; ");
}

const gone = 'say "7 lines of output were not stored for lack of space"';
const held = 'say "the disk has 1 MB left: output is not stored until there is more"';
const missing = 'try "output could not be stored, 3 lines are missing here: no space"';
const perhaps = 'try "output could not be stored, output may be missing here: no space"';
const cap = "the log has reached 4096 bytes (log_max_size)";

/** State × event → state → effects. */
const table: Array<[state: string, event: string, next: string, effects: string]> = [
  ["new", "5 lines", "new", "open; store"],
  ["new", "5 lines without space", "new, held 5, lost 5", held],
  ["new", "wanted", "new", "open"],
  ["new", "wanted later", "new", "open"],
  ["new", "opened", "open", ""],
  ["new", "2 refused", "new, read-only 2 until 2500, lost 2", ""],
  ["new", "5 missed", "new, lost 5", ""],

  ["open", "5 lines", "open", "store"],
  ["open", "5 lines without space", "open, held 5, lost 5", held],
  ["open", "2 refused", "open, read-only 2 until 2500, lost 2", ""],
  ["open", "5 missed", "open, lost 5", ""],
  ["open", "filled", "open, full", `store_fitting; add "${cap}: later output is not stored"`],

  ["failing", "5 lines", "open, no space 3 until 2000, lost 3", "store"],
  ["failing", "5 lines later", "open, no space 3 until 2000, lost 3", `${missing}; store`],
  ["failing", "5 lines without space", "open, held 5, no space 3 until 2000, lost 8", held],
  ["failing", "wanted later", "open, no space 3 until 2000, lost 3", missing],
  ["failing", "2 refused", "open, read-only 5 until 2500, lost 5", ""],
  ["failing", "recovered", "open, lost 3", ""],
  ["failing", "still_refused", "open, read-only 3 until 3000, lost 3", ""],
  ["failing", "5 missed", "open, no space 8 until 2000, lost 8", ""],
  ["failing", "ended", "open, no space 3 until 2000, lost 3", missing],

  ["unopened", "5 lines", "new, no space 0 until 2000", "store"],
  ["unopened", "5 lines later", "new, no space 0 until 2000", `${perhaps}; store`],
  ["unopened", "wanted later", "new, no space 0 until 2000", perhaps],
  ["unopened", "opened", "open, no space 0 until 2000", ""],
  ["unopened", "recovered", "new", ""],
  ["unopened", "still_refused", "new, read-only 0 until 3000", ""],
  ["unopened", "5 missed", "new, no space 5 until 2000, lost 5", ""],
  ["unopened", "ended", "new, no space 0 until 2000", perhaps],

  ["held", "5 lines", "open, lost 7", `${gone}; store`],
  ["held", "5 lines without space", "open, held 12, lost 12", ""],
  ["held", "2 refused", "open, held 7, read-only 2 until 2500, lost 9", ""],
  ["held", "5 missed", "open, held 12, lost 12", ""],
  ["held", "ending", "open, lost 7", gone],

  ["held, nothing lost", "5 lines", "open", "store"],
  ["held, nothing lost", "5 lines later", "open", "store"],
  ["held, nothing lost", "ending", "open", ""],

  ["held and failing", "5 lines", "open, no space 3 until 2000, lost 10", `${gone}; store`],
  ["held and failing", "5 lines without space", "open, held 12, no space 3 until 2000, lost 15", ""],
  ["held and failing", "wanted later", "open, held 7, no space 3 until 2000, lost 10", missing],
  ["held and failing", "recovered", "open, held 7, lost 10", ""],
  ["held and failing", "5 missed", "open, held 12, no space 3 until 2000, lost 15", ""],
  ["held and failing", "ended", "open, held 7, no space 3 until 2000, lost 10", missing],
  ["held and failing", "ending", "open, no space 3 until 2000, lost 10", gone],

  ["full", "5 lines", "open, full, lost 5", ""],
  ["full", "5 lines without space", "open, full, lost 5", ""],
  ["full", "2 refused", "open, full, read-only 2 until 2500, lost 2", ""],
  ["full", "5 missed", "open, full, lost 5", ""],

  ["full and held", "5 lines", "open, full, held 12, lost 12", ""],
  ["full and held", "ending", "open, full, lost 7", gone],
];

for (const [state, event, next, effects] of table) {
  Deno.test(`a log that is ${state}: ${event}`, pure, () => {
    const [after, then] = step(dropping, states[state]!, events[event]!);
    assert.deepEqual([words(after), effectWords(then)], [next, effects]);
  });
}

Deno.test("a log changes nothing and asks for nothing where the table has no cell", pure, () => {
  for (const [name, state] of Object.entries(states)) {
    for (const event of ["wanted", "wanted later", "opened", "recovered", "ending", "ended"]) {
      if (table.some(([listed, by]) => listed === name && by === event)) continue;
      const [after, effects] = step(dropping, state, events[event]!);
      assert.deepEqual([words(after), effects], [words(state), []], `${name}: ${event}`);
    }
  }
});

Deno.test("a log that fills up stops the run where that is wanted, once what fits is stored", pure, () => {
  const [state, effects] = step(killing, states.open!, events.filled!);
  assert.equal(words(state), "open, full");
  assert.equal(effectWords(effects), `store_fitting; add "${cap}: the run is being stopped"; stop_run`);
});

Deno.test("a log says what it was told to say when it was told", pure, () => {
  for (const [state, event] of [["held", "5 lines"], ["open", "filled"], ["failing", "ended"]] as const) {
    const [, effects] = step(dropping, states[state]!, events[event]!);
    const times = effects.flatMap((effect) => "at" in effect ? [effect.at] : []);
    assert.deepEqual(times, [1500]);
  }
});

Deno.test("a log counts each line once, whatever stands between it and the disk", pure, () => {
  const lines = fc.integer({ min: 0, max: 9 });
  const at = fc.integer({ min: 0, max: 5000 });
  const event: fc.Arbitrary<LogEvent> = fc.oneof(
    fc.record({
      type: fc.constant("output" as const),
      lines,
      why: fc.constantFrom(undefined, "no space"),
      at,
    }),
    fc.record({ type: fc.constant("refused" as const), message: fc.constant("no space"), lost: lines, at }),
    fc.record({ type: fc.constant("still_refused" as const), message: fc.constant("no space"), at }),
    fc.record({ type: fc.constant("filled" as const), at }),
    fc.record({ type: fc.constantFrom("wanted" as const, "ending" as const, "ended" as const), at }),
    fc.constantFrom({ type: "opened" as const }, { type: "recovered" as const }),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), (events) => {
      let state = newLog;
      let lost = 0;
      for (const event of events) {
        const [next, effects] = step(dropping, state, event);
        if (event.type === "refused") lost += event.lost;
        if (event.type === "output" && !effects.some((effect) => effect.do === "store")) lost += event.lines;
        assert.equal(next.lost, lost);
        assert.ok((next.heldBack ?? 0) <= lost && (next.failure?.lost ?? 0) <= lost);
        if (event.type === "refused" || event.type === "still_refused") {
          assert.equal(next.failure?.retryAt, event.at + RETRY_MS);
        }
        if (state.isFull) assert.ok(next.isFull, "a log that is full stays so");
        state = next;
      }
    }),
    { seed: 5, numRuns: 500 },
  );
});
