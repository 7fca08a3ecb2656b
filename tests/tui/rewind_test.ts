import assert from "node:assert/strict";
import { hear } from "../../src/tui/news.ts";
import { screenOf } from "../../src/tui/screen_rows.ts";
import { type State, viewOf, withView } from "../../src/tui/state.ts";
import { newLogWindow } from "../../src/tui/log_window.ts";
import { liveState, noon, run, typed } from "./states.ts";

const lines = Array.from({ length: 5 }, (_, n) => ({ n, ts: noon, stream: "stdout", text: `line ${n}` }));
lines[2] = { ...lines[2]!, text: "100 %", frame_count: 2 } as typeof lines[0];

/** A run of five lines, of which the third was redrawn. */
function runState(): State {
  const log = { ...newLogWindow(), lines, total: lines.length, isDone: true };
  return { ...withView(liveState(), { kind: "run", id: "a", run: run({ id: "a" }), log }), focus: "main" };
}

const frames = { is: "frames", id: "a", n: 2, frames: [["1 %"], ["50 %", "and more"]] } as const;

function text(state: State): string {
  return screenOf(state).main!.rows.map((row) => row.map((one) => one.text).join("")).join("\n");
}

Deno.test("rewind() asks for the frames of the last line in sight that was redrawn", () => {
  const [state, effects] = typed(runState(), "<");
  assert.deepEqual(effects, [{ do: "frames", id: "a", n: 2 }]);
  assert.match(text(state), /3 ⟲100 %/);
  const plain = withView(runState(), { kind: "run", id: "a", log: newLogWindow() });
  assert.equal(typed(plain, "<")[0].message?.text, "No line in sight was redrawn.");
});

Deno.test("rewind() goes from frame to frame, and behind the last to the line itself", () => {
  const [shown] = hear(runState(), frames);
  assert.match(text(shown), /frame 2 of 2/);
  assert.match(text(shown), / 2 {2}line 1\n +3 ⟲50 %\n +⟲and more\n +4 {2}line 3/);
  const [first] = typed(shown, "<", "<");
  assert.match(text(first), /frame 1 of 2[^]*3 ⟲1 %/);
  const [over] = typed(first, ">", ">");
  assert.deepEqual(viewOf(over), viewOf(runState()));
  assert.deepEqual(viewOf(typed(shown, "esc")[0]), viewOf(runState()));
});

Deno.test("withFrames() says so when frames are gone, and leaves another run alone", () => {
  assert.match(hear(runState(), { ...frames, frames: [] })[0].message?.text ?? "", /gone/);
  assert.deepEqual(hear(runState(), { ...frames, id: "b" })[0], runState());
});
