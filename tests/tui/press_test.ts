import assert from "node:assert/strict";
import { hear } from "../../src/tui/news.ts";
import { layoutOf } from "../../src/tui/layout.ts";
import { viewOf } from "../../src/tui/state.ts";
import { liveState, noon, run, typed } from "./states.ts";

Deno.test("press() moves through the units, failing ones first, and opens one", () => {
  const state = liveState();
  assert.equal(state.rail.cursor, "certs");
  const [moved] = typed(state, "down", "j");
  assert.equal(moved.rail.cursor, "deploy");
  const [opened, effects] = typed(moved, "enter");
  assert.deepEqual(viewOf(opened), { kind: "unit", name: "deploy", cursor: 0, marked: [] });
  assert.deepEqual(effects, [{ do: "load" }]);
  assert.equal(typed(opened, "esc")[0].focus, "rail");
  assert.equal(typed(state, "G")[0].rail.cursor, "web");
});

Deno.test("press() asks before it acts, names what it does, and takes only y for yes", () => {
  const [asked, before] = typed(liveState(), "G", "s");
  assert.equal(asked.question?.text, "Stop web, 3 instances?");
  assert.deepEqual(before, []);
  assert.deepEqual(typed(asked, "n"), [typed(asked, "enter")[0], []]);
  assert.deepEqual(typed(asked, "y")[1], [{ do: "act", action: "stop", names: ["web"] }]);
  assert.equal(typed(liveState(), "G", "r")[0].question?.text, "Restart web, 3 instances?");
});

Deno.test("press() acts on all that are selected, and forgets the selection then", () => {
  const [asked] = typed(liveState(), "space", "space", "p");
  assert.equal(asked.question?.text, "Pause certs and backup?");
  const [after, effects] = typed(asked, "y");
  assert.deepEqual(effects, [{ do: "act", action: "pause", names: ["certs", "backup"] }]);
  assert.deepEqual(after.rail.marked, []);
  assert.equal(typed(liveState(), "/", "h", "e", "l", "d", "enter", "p")[0].question?.text, "Resume held?");
});

Deno.test("press() says so where there is nothing to act on", () => {
  assert.equal(typed(liveState(), "s")[0].message?.text, "Certs is not running.");
  assert.equal(typed(liveState(), "G", "p")[0].message?.text, "Only a task with a schedule can be paused.");
  assert.equal(typed(liveState(), "u")[0].message?.text, "Nothing to undo.");
});

Deno.test("press() filters the units as one types, by name, group and state", () => {
  const [filtered] = typed(liveState(), "/", ..."ops");
  assert.equal(filtered.rail.filter, "ops");
  assert.equal(typed(filtered, "enter", "esc")[0].rail.filter, "");
  assert.equal(typed(filtered, "esc")[0].rail.filter, "");
});

Deno.test("press() shows the form of a task with parameters, and refuses what they can't be", () => {
  const [form] = typed(liveState(), "/", ..."deploy", "enter", "r");
  assert.equal(form.form?.task, "deploy");
  const [chosen] = typed(form, "right", "enter");
  assert.equal(chosen.form?.problem, "a value is needed");
  assert.equal(chosen.form?.cursor, 1);
  assert.match(typed(chosen, "x", "enter")[0].form?.problem ?? "", /number/);
  const [done, effects] = typed(chosen, "x", "backspace", "7", "enter");
  assert.equal(done.form, undefined);
  assert.deepEqual(effects, [
    { do: "run", name: "deploy", params: { TARGET: "live", count: "7" }, isShown: true },
  ]);
  assert.equal(typed(form, "esc")[0].form, undefined);
});

Deno.test("press() deletes runs and brings them back for ten seconds", () => {
  const runs = [run(), run({ id: "b" }), run({ id: "c", status: "running" })];
  const [history] = typed(liveState(), "2");
  const [filled] = hear(history, { is: "runs", filter: "", offset: 0, runs, total: 3 });
  const [asked] = typed(filled, "space", "space", "d");
  assert.equal(asked.question?.text, "Delete 2 runs and their logs?");
  const ids = [runs[0]!.id, "b"];
  assert.deepEqual(typed(asked, "y")[1], [{ do: "delete", ids }]);
  const [deleted] = hear(asked, { is: "deleted", ids });
  const view = viewOf(deleted);
  assert.deepEqual(view.kind === "history" && view.runs?.map(({ id }) => id), ["c"]);
  const { question: _, ...rest } = deleted;
  assert.deepEqual(typed(rest, "u")[1], [{ do: "restore", ids }]);
  const [late] = hear(rest, { is: "time", now: noon + 11_000 });
  assert.equal(late.undo, undefined);
});

Deno.test("press() gives the view the whole width, and the units theirs when they have the focus", () => {
  const [zoomed] = typed(liveState(), "z");
  assert.deepEqual([layoutOf(zoomed).rail, layoutOf(zoomed).main], [0, 80]);
  assert.equal(layoutOf(typed(zoomed, "tab")[0]).rail, 24);
  assert.equal(layoutOf(typed(zoomed, "z")[0]).rail, 24);
});

Deno.test("press() leaves the mouse to the terminal, and takes it back", () => {
  const [free, effects] = typed(liveState(), "c");
  assert.deepEqual([free.hasMouse, effects], [false, [{ do: "mouse", isOn: false }]]);
  assert.deepEqual(typed(free, "c")[1], [{ do: "mouse", isOn: true }]);
});

Deno.test("press() reloads, opens the page and marks notifications only where they are shown", () => {
  assert.deepEqual(typed(liveState(), "R")[1], [{ do: "reload", isDry: true }]);
  assert.deepEqual(typed(liveState(), "o")[1], [{ do: "browse" }]);
  assert.deepEqual(typed(liveState(), "m", "M")[1], []);
  const [empty] = typed(liveState(), "n");
  assert.deepEqual(typed(empty, "m")[1], []);
  assert.deepEqual(typed(empty, "M")[1], [{ do: "read all notices" }]);
});

Deno.test("press() leaves with q and Ctrl-C, but types q where a line is typed", () => {
  assert.deepEqual(typed(liveState(), "q")[1], [{ do: "quit" }]);
  assert.deepEqual(typed(liveState(), "/", "q")[1], []);
  assert.deepEqual(typed(liveState(), "/", "ctrl-c")[1], [{ do: "quit" }]);
});

Deno.test("hear() keeps the cursor on its run while new ones come in above", () => {
  const [history] = typed(liveState(), "2");
  const [filled] = hear(history, {
    is: "runs",
    filter: "",
    offset: 0,
    runs: [run(), run({ id: "b" })],
    total: 2,
  });
  const [moved] = typed(filled, "down");
  const view = viewOf(hear(moved, { is: "run", run: run({ id: "new", status: "running" }) })[0]);
  assert.ok(view.kind === "history");
  assert.equal(view.runs?.[view.cursor]?.id, "b");
  assert.equal(view.total, 3);
});

Deno.test("hear() makes a question of what a reload would change", () => {
  const changes = { is: "changes", added: ["a"], removed: [], changed: ["b", "c"] } as const;
  const [asked] = hear(liveState(), changes);
  assert.equal(asked.question?.text, "Reload: 1 added (a), 2 changed (b and c)?");
  const [none] = hear(liveState(), { ...changes, added: [], changed: [] });
  assert.match(none.message?.text ?? "", /^Nothing to reload/);
});
