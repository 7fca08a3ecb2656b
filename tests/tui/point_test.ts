import assert from "node:assert/strict";
import { hear } from "../../src/tui/news.ts";
import { point } from "../../src/tui/point.ts";
import { newLogWindow } from "../../src/tui/log_window.ts";
import { screenOf } from "../../src/tui/screen_rows.ts";
import { type State, viewOf, withView } from "../../src/tui/state.ts";
import { liveState, noon, run, typed, unit } from "./states.ts";

/** The row of the screen in which a text stands, in the units or in the view. */
function rowOf(state: State, side: "rail" | "main", text: string): number {
  const rows = screenOf(state)[side]?.rows ?? [];
  const row = rows.findIndex((spans) => spans.map((one) => one.text).join("").includes(text));
  assert.ok(row >= 0, `nowhere: ${text}`);
  return row;
}

Deno.test("point() selects the unit that is clicked, and opens it when it is clicked again", () => {
  const state = liveState();
  const at = { column: 5, row: rowOf(state, "rail", "web") };
  const [selected, none] = point(state, at);
  assert.equal(selected.rail.cursor, "web");
  assert.deepEqual(none, []);
  const [opened, effects] = point(selected, at);
  assert.deepEqual(viewOf(opened), { kind: "unit", name: "web", cursor: 0, marked: [] });
  assert.deepEqual(effects, [{ do: "load" }]);
});

Deno.test("point() finds the unit in a list that is scrolled", () => {
  const units = Array.from({ length: 300 }, (_, n) => unit({ name: `unit-${String(n).padStart(3, "0")}` }));
  const [many] = hear(liveState(), { is: "units", units, running: [] });
  const [scrolled] = typed(many, ...Array.from({ length: 10 }, () => "pagedown"));
  const shown = /unit-\d+/.exec(
    screenOf(scrolled).rail!.rows[4]!.map(({ text }) => text).join(""),
  )![0];
  assert.notEqual(shown, scrolled.rail.cursor);
  assert.equal(point(scrolled, { column: 3, row: 4 })[0].rail.cursor, shown);
});

Deno.test("point() opens rows of each view, below whatever stands above them", () => {
  const state = liveState();
  const [home] = hear({ ...state, daemon: { config_stale: true } as NonNullable<State["daemon"]> }, {
    is: "units",
    units: state.units,
    running: [],
  });
  for (const [columns, rows] of [[80, 24], [120, 40]] as const) {
    const sized = { ...home, columns, rows };
    const at = { column: 50, row: rowOf(sized, "main", "   backup") };
    const opened = viewOf(point(point(sized, at)[0], at)[0]);
    assert.deepEqual(opened.kind === "unit" && opened.name, "backup");
  }
  const [unitShown] = hear(typed(state, "down", "enter")[0], {
    is: "unit runs",
    name: "backup",
    runs: [run(), run({ id: "older", exit_code: 9, end_reason: "failed" })],
    ticks: [],
  });
  const [chosen] = point(unitShown, { column: 50, row: rowOf(unitShown, "main", "failed (9)") });
  const view = viewOf(chosen);
  assert.equal(view.kind === "unit" && view.cursor, 1);
});

Deno.test("point() takes clicks beside all rows for nothing but the focus", () => {
  const state = liveState();
  for (const row of [0, 1, 22, 23, 90]) {
    assert.deepEqual(point(state, { column: 60, row })[1], []);
    assert.deepEqual(viewOf(point(state, { column: 60, row })[0]), viewOf(state));
    assert.equal(point(state, { column: 3, row })[0].rail.cursor, state.rail.cursor);
  }
});

Deno.test("point() scrolls with the wheel what it is over, whatever has the focus", () => {
  const state = liveState();
  const [down] = point(state, { column: 3, row: 5, wheel: 1 });
  assert.equal(down.rail.cursor, "held");
  const lines = Array.from({ length: 100 }, (_, n) => ({ n, ts: noon, stream: "stdout", text: `${n}` }));
  const log = { ...newLogWindow(), lines, total: 100 };
  const shown = withView(state, { kind: "run", id: "a", log });
  const up = viewOf(point(shown, { column: 60, row: 5, wheel: -1 })[0]);
  assert.deepEqual(up.kind === "run" && [up.log.top, up.log.isFollowing], [76, false]);
  assert.equal(point(typed(state, "?")[0], { column: 60, row: 5, wheel: 1 })[0].help, 3);
});

Deno.test("point() leaves alone what waits for keys", () => {
  for (const keys of [["G", "s"], ["/"], ["/", ..."deploy", "enter", "r"]]) {
    const [state] = typed(liveState(), ...keys);
    assert.deepEqual(point(state, { column: 3, row: 3 }), [state, []]);
    assert.deepEqual(point(state, { column: 3, row: 3, wheel: 1 }), [state, []]);
  }
});
