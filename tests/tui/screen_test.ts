import { renderToString } from "ink";
// @ts-types="@types/react"
import { createElement } from "react";
import assert from "node:assert/strict";
import { hear } from "../../src/tui/news.ts";
import { widthOf } from "../../src/tui/rows.ts";
import { ScreenView } from "../../src/tui/screen.ts";
import type { State } from "../../src/tui/state.ts";
import { viewOf } from "../../src/tui/state.ts";
import { at, liveState, noon, run, typed } from "./states.ts";

const sizes = [[80, 24], [120, 40], [40, 20]] as const;

/** The screen as text, without colours. */
function drawn(state: State): string {
  const text = renderToString(createElement(ScreenView, { state, isColoured: false }), {
    columns: state.columns,
  });
  // deno-lint-ignore no-control-regex -- weight and inversion have no width
  return text.replace(/\x1b\[[0-9;]*m/g, "");
}

/** The states that are drawn, by what they show. */
const scenes: Record<string, (state: State) => State> = {
  home: (state) => hear(state, { is: "units", units: state.units, running: [active] })[0],
  unit: (state) => {
    const [opened] = typed(state, "down", "enter");
    const runs = [run(), run({ id: "b", end_reason: "crashed", exit_code: 139, retry_attempt: 1 })];
    const ticks = [{ at: at(840), local: "", note: "gap" as const }];
    return hear(opened, { is: "unit runs", name: "backup", runs, ticks })[0];
  },
  run: (state) => log(typed(hear(typed(state, "2")[0], history)[0], "enter")[0]),
  "a zoomed run with its lines wrapped": (state) => typed(longLine(scenes.run!(state)), "z", "w")[0],
  search: (state) => {
    const [searched] = typed(scenes.run!(state), "/", ..."line 1", "enter");
    const id = viewOf(searched);
    return id.kind === "run"
      ? hear(searched, { is: "hits", id: id.id, text: "line 1", hits: [1, 10, 11] })[0]
      : searched;
  },
  history: (state) => typed(hear(typed(state, "2")[0], history)[0], "down", "space")[0],
  notifications: (state) => {
    const items = [notice, {
      ...notice,
      id: "2",
      severity: "info" as const,
      title: "backup works again",
      read_at: at(-1),
    }];
    const [shown] = hear(typed(state, "n")[0], { is: "notices", items, next: "", isMore: false });
    return hear(shown, { is: "unread", count: 1 })[0];
  },
  "daemon log": (state) =>
    hear(typed(state, "4")[0], { is: "daemon lines", lines: ["ready", "reload added=1"], isFresh: true })[0],
  system: (state) => hear(typed(state, "5")[0], { is: "system", stats })[0],
  help: (state) => typed(state, "?")[0],
  form: (state) => typed(state, "/", ..."deploy", "enter", "r")[0],
  question: (state) => typed(state, "G", "s")[0],
  away: (state) => hear(state, { is: "link", link: "away" })[0],
};

const active = run({ id: "r", task_name: "deploy", status: "running", start_at: at(-2) });
delete active.end_at;
delete active.end_reason;
const failed = run({ id: "f", task_name: "certs", exit_code: 3, end_reason: "failed", created_at: at(-20) });
const history = { is: "runs", filter: "", offset: 0, runs: [run(), failed], total: 2 } as const;
const notice = {
  id: "1",
  fingerprint: "",
  kind: "run.failed",
  severity: "error" as const,
  task_name: "certs",
  run_id: "f",
  title: "certs failed",
  body: "exit code 3\nno such host",
  count: 2,
  occurrences: null,
  created_at: at(-20),
  last_occurred_at: at(-5),
};
const stats = {
  cpu_usage: 42,
  mem_usage: 85,
  mem_total: 4e9,
  mem_used: 3.4e9,
  uptime: "3 h",
  version: "9.8.7",
  name: "svc",
  cpu_cores: 2,
  host: "box",
  os: "linux",
  arch: "amd64",
  work_dir: "/srv",
};

/** One more line, of three words that a narrow screen has no room for. */
function longLine(state: State): State {
  const view = viewOf(state);
  const text = `\x1b[32m${["begin", "middle", "end"].join("-".repeat(60))}\x1b[0m`;
  const lines = [{ n: 12, ts: noon, stream: "stderr", text }];
  return hear(state, { is: "log", id: view.kind === "run" ? view.id : "", lines })[0];
}

function log(state: State): State {
  const view = viewOf(state);
  const id = view.kind === "run" ? view.id : "";
  const lines = Array.from({ length: 12 }, (_, n) => ({ n, ts: noon, stream: "stdout", text: `line ${n}` }));
  lines[3] = {
    n: 3,
    ts: noon,
    stream: "stderr",
    text: "\x1b[31mred\x1b[0m and \x1b]0;title\x07\x1b[2Jplain 日本語",
  };
  lines[11] = { n: 11, ts: noon, stream: "system", text: "stopped by request" };
  const [filled] = hear(state, { is: "log page", id, lines, first: 0, total: 12 });
  return hear(filled, {
    is: "log",
    id,
    lines: [],
    regions: [{ stream: "stdout", rows: ["[####    ] 50%"] }],
  })[0];
}

for (const [name, scene] of Object.entries(scenes)) {
  for (const [columns, rows] of sizes) {
    Deno.test(`ScreenView() shows ${name} on ${columns} by ${rows}`, async (t) => {
      const text = drawn(scene(liveState(columns, rows)));
      await t.assertSnapshot(text);
    });
  }
}

Deno.test("ScreenView() never draws beyond the screen, however small, nor anything that steers a terminal", () => {
  for (const [name, scene] of Object.entries(scenes)) {
    for (const [columns, rows] of [[20, 10], [20, 3], [8, 2], [59, 12], [60, 12], [200, 60]] as const) {
      for (const isAscii of [false, true]) {
        const lines = drawn(scene({ ...liveState(columns, rows), isAscii })).split("\n");
        assert.ok(lines.length <= rows, `${name} has ${lines.length} of ${rows} rows`);
        for (const line of lines) {
          assert.ok(widthOf(line) <= columns, `${name} at ${columns}: ${line}`);
          // deno-lint-ignore no-control-regex -- what must not be there
          assert.doesNotMatch(line, /[\x00-\x1f\x7f-\x9f]/);
        }
      }
    }
  }
});

Deno.test("ScreenView() keeps to ASCII where the locale knows nothing else", () => {
  for (const [name, scene] of Object.entries(scenes)) {
    const text = drawn(scene({ ...liveState(), isAscii: true })).replace("日本語", "");
    // deno-lint-ignore no-control-regex -- all of ASCII
    assert.match(text, /^[\x00-\x7f]*$/, name);
  }
});

Deno.test("The screen makes no link of a description, in whichever spelling, nor turns its direction", () => {
  const evil = "\u009d8;;file:///home/evil/x.desktop\u009ctext\u009d8;;\u009c\x1b]8;;file:///y\x07z\u202e";
  const state = liveState(120, 40);
  const units = state.units.map((unit) => ({ ...unit, description: evil, group: evil }));
  const [opened] = typed({ ...state, units }, "down", "enter");
  for (const one of [{ ...state, units }, opened]) {
    // deno-lint-ignore no-control-regex -- these are what is looked for
    assert.doesNotMatch(drawn(one), /\x1b|[\x80-\x9f\u202e]/);
  }
});

/** Fields that hold words of others. */
const foreign = new Set([
  ...["description", "group", "working_dir", "run", "default", "cron", "key", "label", "value"],
  ...[
    "text",
    "title",
    "body",
    "message",
    "host",
    "work_dir",
    "os",
    "arch",
    "version",
    "config_path",
    "error",
  ],
]);

/** A state in which every such field ends with a text of somebody's who means ill. */
function spoilt<T>(value: T, evil: string): T {
  if (Array.isArray(value)) return value.map((one) => spoilt(one, evil)) as T;
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [key, spoilt(one, evil)])) as T;
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      typeof one === "string" && foreign.has(key) ? one + evil : spoilt(one, evil),
    ]),
  ) as T;
}

Deno.test("No view lets words of others steer a terminal, wherever they stand", () => {
  const evil =
    "A\x1b]0;title\x07\x1b]52;c;aGk=\x1b\\\x1b[2J\x1b[31;8mB\x9b2J\x9d8;;file:///y\x9cC\x08\x7f\u202eD\u2066\r\nE";
  let changed = 0;
  for (const [name, scene] of Object.entries(scenes)) {
    const before = scene(liveState(120, 40));
    const state = spoilt(before, evil);
    if (JSON.stringify(state) !== JSON.stringify(before)) changed++;
    const text = drawn(state).replaceAll("\n", "");
    // deno-lint-ignore no-control-regex -- these are what is looked for
    assert.doesNotMatch(text, /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/, name);
  }
  assert.equal(changed, Object.keys(scenes).length, "each of them shows units, at least");
});

Deno.test("the first view begins with a database that refuses, until that is over", () => {
  const refusing = { since: at(-11), why: "database or disk is full" };
  const known = { ...liveState(), daemon: { config_stale: true } as NonNullable<State["daemon"]> };
  const [refused] = hear({ ...known, columns: 120, rows: 40 }, { is: "refusing", refusing });
  const shown = drawn(refused);
  assert.match(shown, /The database has refused for 11 m: database or disk is full; nothing starts or/);
  assert.match(shown, /The configuration on disk has changed/);
  const [calm] = hear({ ...refused, units: [] }, { is: "time", now: refused.now });
  assert.match(drawn(calm), /Nothing goes on\./);
  const over = drawn(hear(calm, { is: "refusing", refusing: undefined })[0]);
  assert.match(over, /All well\./);
  assert.doesNotMatch(over, /has refused/);
});
