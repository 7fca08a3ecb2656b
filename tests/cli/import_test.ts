import assert from "node:assert/strict";
import type { ImportOrder, ImportResult, Locals } from "../../src/cli/locals.ts";
import { importers } from "../../src/local/import/importers.ts";
import { call, memoryTerminal } from "./memory.ts";

const result: ImportResult = {
  imported: {
    units: [{ kind: "task", name: "report", settings: {} }],
    entries: [{ file: "/srv/table", line: 1, what: "@daily report", unit: "report", fate: { is: "taken" } }],
  },
  toml: "[tasks.report]\n",
};

const nothing: ImportResult = {
  imported: {
    units: [],
    entries: [{ file: "-", line: 1, what: "report", fate: { is: "refused", why: "no time" } }],
  },
  toml: "",
};

function importing(answer: ImportResult): { locals: Partial<Locals>; orders: ImportOrder[] } {
  const orders: ImportOrder[] = [];
  const importUnits: Locals["importUnits"] = (_, order) => {
    orders.push(order);
    return Promise.resolve(answer);
  };
  return { locals: { importUnits }, orders };
}

Deno.test("svc import prints units to standard output and the account to standard error", async () => {
  const { locals, orders } = importing(result);
  const { code, stdout, stderr } = await call(["import", "cron", "/srv/table", "-"], { locals });
  assert.deepEqual([code, stdout], [0, "[tasks.report]\n"]);
  assert.match(stderr, /^\/srv\/table:1: @daily report: taken as report\n1 unit from 1 entry: 1 taken, /);
  assert.deepEqual(orders, [{ kind: "cron", files: ["/srv/table", "-"], system: false, write: false }]);
});

Deno.test("svc import exits with 1 when nothing was taken", async () => {
  const { code, stdout, stderr } = await call(["import", "cron"], importing(nothing));
  assert.deepEqual([code, stdout], [1, ""]);
  assert.match(stderr, /standard input:1: report: not taken: no time/);
});

Deno.test("svc import --write says where the units are, and what the root file must include", async () => {
  const written = { path: "/etc/svc/imported-cron.toml", root: "/etc/svc/svc.toml" };
  const there = await call(["import", "cron", "--system", "--write"], importing({ ...result, written }));
  assert.deepEqual([there.code, there.stdout], [0, ""]);
  assert.match(there.stderr, /wrote \/etc\/svc\/imported-cron\.toml\n\/etc\/svc\/svc\.toml includes it/);
  const missing = { ...written, missingInclude: "imported-cron.toml" };
  const { stderr } = await call(["import", "cron", "--write"], importing({ ...result, written: missing }));
  assert.match(stderr, /add "imported-cron\.toml" to include = \[\.\.\.\] under \[daemon\]/);
});

Deno.test("svc import refuses words that make no sense", async () => {
  const wrong: [line: string, said: RegExp][] = [
    ["import", /missing required argument "kind"/],
    ["import crom x", /kind "crom" is invalid: choose one of [a-z, ]*cron, /],
    ["import procfile --system", /--system is for crontabs/],
  ];
  for (const [line, said] of wrong) {
    const { code, stderr } = await call(line.split(" "), importing(result));
    assert.equal(code, 2, line);
    assert.match(stderr, said);
  }
  const terminal = memoryTerminal();
  terminal.isInteractive = true;
  const { code, stderr } = await call(["import", "cron"], { ...importing(result), terminal });
  assert.deepEqual([code, stderr], [2, "svc: cannot import nothing: name a file of cron, or pipe one in\n"]);
});

Deno.test("svc import knows the kinds that there are importers for", async () => {
  const { stdout } = await call(["import", "--help"]);
  for (const [kind, load] of Object.entries(importers)) {
    assert.match(stdout, new RegExp(`what the files are: [^\\n]*\\b${kind}\\b`));
    assert.equal(typeof await load(), "function", kind);
  }
  const named = /what the files are: ([^\n]*)/.exec(stdout)?.[1]?.split(/, | or /) ?? [];
  assert.deepEqual(named.toSorted(), Object.keys(importers).toSorted());
});
