import assert from "node:assert/strict";
import { formOf, type ParamForm, pasteInForm, pressInForm } from "../../src/tui/param_form.ts";
import { paste } from "../../src/tui/paste.ts";
import { screenOf } from "../../src/tui/screen_rows.ts";
import type { State } from "../../src/tui/state.ts";
import { liveState, typed, unit } from "./states.ts";

const task = unit({
  parameters: [
    { kind: "env", key: "TARGET", choices: ["", "live"], default: "live" },
    { kind: "env", key: "NOTE" },
    { kind: "flag", key: "--dry" },
    { kind: "arg", key: "what", required: true },
  ],
});

/** The form after keys, in its first field. */
function pressed(form: ParamForm, ...keys: string[]): ParamForm {
  for (const key of keys) {
    const after = pressInForm(form, key);
    assert.ok(after !== "closed" && "form" in after, `${key} ends the form`);
    form = after.form;
  }
  return form;
}

const form = formOf(task)!;
const values = (form: ParamForm) => {
  const after = pressInForm(form, "enter");
  assert.ok(after !== "closed" && "values" in after, JSON.stringify(after));
  return after.values;
};
const given = pressed(form, "up", "x", "down");

Deno.test("pressInForm() sends nothing for what was left as it was", () => {
  assert.deepEqual(values(given), { what: "x" });
});

Deno.test("pressInForm() tells left out from empty", () => {
  assert.deepEqual(values(pressed(given, "ctrl-x")), { what: "x", TARGET: null });
  assert.deepEqual(values(pressed(given, "ctrl-x", "ctrl-x")), { what: "x", TARGET: "" });
  assert.deepEqual(values(pressed(given, "down", "ctrl-u")), { what: "x", NOTE: "" });
  assert.deepEqual(values(pressed(given, "down", "a", "backspace")), { what: "x", NOTE: "" });
  assert.deepEqual(values(pressed(given, "down", "a", "ctrl-x")), { what: "x" });
  assert.deepEqual(values(pressed(given, "down", "ctrl-x", "ctrl-x")), { what: "x" });
});

Deno.test("pressInForm() keeps a parameter that is called __proto__", () => {
  const odd = formOf(unit({ parameters: [{ kind: "arg", key: "__proto__", required: true }] }))!;
  assert.deepEqual(Object.entries(values(pressed(odd, "x"))), [["__proto__", "x"]]);
});

Deno.test("pressInForm() leaves out neither what is required nor a flag, which is so by itself", () => {
  assert.deepEqual(values(pressed(given, "up", "ctrl-x")), { what: "x" });
  assert.deepEqual(values(pressed(given, "down", "down", "ctrl-x")), { what: "x" });
  assert.deepEqual(values(pressed(given, "down", "down", "space")), { what: "x", "--dry": "true" });
  const asked = pressInForm(form, "enter");
  assert.ok(asked !== "closed" && "form" in asked);
  assert.deepEqual([asked.form.cursor, asked.form.problem], [3, "a value is needed"]);
  assert.deepEqual(values(pressed(form, "up", "ctrl-u")), { what: "" });
});

Deno.test("pressInForm() goes from left out to the nearest choice on either side", () => {
  const out = pressed(given, "ctrl-x");
  assert.deepEqual(values(pressed(out, "right")), { what: "x", TARGET: "" });
  assert.deepEqual(values(pressed(out, "left")), { what: "x" });
});

Deno.test("pasteInForm() keeps the lines of a text, and paste() never takes it for keys", () => {
  const note = pressed(given, "down");
  assert.deepEqual(values(pasteInForm(note, "a\nb")), { what: "x", NOTE: "a\nb" });
  assert.deepEqual(values(pasteInForm(given, "dead")), { what: "x" });
  const [pasted, effects] = paste({ ...liveState(), form: note }, "one\r\ntwo\rthree");
  assert.deepEqual(effects, []);
  assert.deepEqual(values(pasted.form!).NOTE, "one\ntwo\nthree");
  assert.deepEqual(paste(liveState(), "sy"), [liveState(), []]);
  const asked = typed(liveState(), "G", "s")[0];
  assert.deepEqual(paste(asked, "y"), [asked, []]);
  assert.equal(paste(typed(liveState(), "/")[0], "we\nb\n")[0].rail.filter, "we b");
});

Deno.test("screenOf() shows what is left out, what is empty, and a text of several lines", () => {
  const text = (form: ParamForm): string => {
    const state: State = { ...liveState(), form };
    return screenOf(state).main!.rows.map((row) => row.map((one) => one.text).join("")).join("\n");
  };
  assert.match(text(given), /NOTE +left out/);
  assert.match(text(pressed(given, "down", "ctrl-x")), /NOTE +_empty/);
  assert.match(text(pasteInForm(pressed(given, "down"), "a\n\x1b[2Jb\x07")), /NOTE +a\\nb_/);
  assert.match(text(pressed(given, "left")), /TARGET +< empty >\n.*one of empty, live; default: live/);
});
