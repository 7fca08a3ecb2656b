import assert from "node:assert/strict";
import { checkImported } from "../../../src/importers/import/check.ts";
import {
  type Entry,
  type Imported,
  type ImportedUnit,
  Template,
} from "../../../src/importers/import/imported.ts";
import { inputOf } from "./corpus.ts";

function importOf(...units: ImportedUnit[]): Imported {
  const entries = units.map(({ name }, index): Entry => ({
    file: "/srv/source",
    line: index + 1,
    what: name,
    unit: name,
    fate: { is: "taken" },
  }));
  return { units, entries };
}

const good: ImportedUnit = { kind: "task", name: "good", settings: { run: "true", cron: "@daily" } };
const input = inputOf("/etc/svc/imported.toml");

Deno.test("checkImported() refuses a unit that does not load in the loader's words, and the rest goes on", () => {
  const bad: ImportedUnit = { kind: "task", name: "a.bad", settings: { run: "true", cron: "61 * * * *" } };
  const odd: ImportedUnit = { kind: "task", name: "odd", settings: { run: "true", corn: "@daily" } };
  const { imported, text } = checkImported(importOf(bad, good, odd), { input });
  assert.deepEqual(imported.units, [good]);
  assert.match(text, /^# \/srv\/source:2: good\n\[tasks\.good\]\n/);
  const [first, second, third] = imported.entries;
  assert.deepEqual([first?.unit, first?.fate], [
    undefined,
    { is: "refused", why: 'cron: minute "61" is over 59' },
  ]);
  assert.deepEqual(second?.fate, { is: "taken" });
  assert.match(JSON.stringify(third?.fate), /corn.*did you mean/);
});

Deno.test("checkImported() also refuses what needed a unit that does not load", () => {
  const db: ImportedUnit = { kind: "service", name: "db", settings: { run: "db", instances: 0 } };
  const web: ImportedUnit = { kind: "service", name: "web", settings: { run: "web", depends_on: ["db"] } };
  const { imported, text } = checkImported(importOf(web, db), { input });
  assert.deepEqual([imported.units, text], [[], ""]);
  assert.ok(imported.entries.every(({ fate }) => fate.is === "refused"));
});

Deno.test("checkImported() does not ask for variables of the machine where it will run", () => {
  const unit: ImportedUnit = {
    kind: "service",
    name: "web",
    settings: { run: "web", env: { URL: new Template("http://${HOST}:${PORT:-80}/") } },
  };
  assert.equal(checkImported(importOf(unit), { input }).imported.units.length, 1);
  const root = { path: "/etc/svc/svc.toml", text: '[daemon]\ninclude = ["imported.toml"]\n' };
  const { imported } = checkImported(importOf(unit), { input, root });
  assert.match(JSON.stringify(imported.entries[0]?.fate), /variable HOST is not set/);
});

Deno.test("checkImported() loads the units together with the configuration that includes them", () => {
  const root = {
    path: "/etc/svc/svc.toml",
    text: '[daemon]\ninclude = ["imported.toml"]\n[tasks.mine]\nrun = "true"\n',
  };
  const twin: ImportedUnit = { kind: "task", name: "mine", settings: { run: "false" } };
  const { imported } = checkImported(importOf(good, twin), { input, root });
  assert.deepEqual(imported.units, [good]);
  assert.match(JSON.stringify(imported.entries[1]?.fate), /is defined twice/);
});

Deno.test("checkImported() takes nothing where the configuration itself does not load", () => {
  const root = {
    path: "/etc/svc/svc.toml",
    text: '[daemon]\ninclude = ["imported.toml"]\ntimezone = "Mars"\n',
  };
  const { imported, text } = checkImported(importOf(good), { input, root });
  assert.deepEqual([imported.units, text], [[], ""]);
  assert.match(imported.broken?.why ?? "", /"Mars" is no time zone/);
});

Deno.test("checkImported() notes what the configuration around the units makes of them", () => {
  const root = {
    path: "/etc/svc/svc.toml",
    text: '[daemon]\ninclude = ["imported.toml"]\ntimezone = "Asia/Tokyo"\n' +
      '[defaults]\ntimeout = "5s"\nexit_codes = [3]\nkeep_runs = 7\nenv = { FOO = "x", BAR = "y" }\n',
  };
  const own: ImportedUnit = {
    kind: "task",
    name: "own",
    settings: {
      run: "true",
      timeout: "1s",
      exit_codes: [0],
      timezone: "UTC",
      cron: "@daily",
      env: { BAR: "y", FOO: "z" },
    },
  };
  const { imported, text } = checkImported(importOf(good, own), { input, root, timezone: "UTC" });
  const notes = [
    "[defaults] of the configuration changes it: timeout, exit_codes, env (FOO, BAR)",
    'its schedule follows timezone = "Asia/Tokyo" of [daemon]',
  ];
  assert.deepEqual(imported.entries.map(({ fate }) => fate), [{ is: "noted", notes }, { is: "taken" }]);
  for (const note of notes) assert.ok(text.includes(note));
  const near = checkImported(importOf(good), { input, root, timezone: "Asia/Tokyo" });
  assert.doesNotMatch(near.text, /Tokyo/);
});

Deno.test("checkImported() leaves a broken import as it is", () => {
  const broken: Imported = { units: [], entries: [], broken: { file: "/x", line: 1, why: "a tab" } };
  assert.deepEqual(checkImported(broken, { input }), { imported: broken, text: "" });
});

Deno.test("checkImported() refuses all services of a compose table that does not load", () => {
  const read = inputOf("/etc/svc/imported.toml", { "/srv/a.yaml": "services: { b: { image: x } }" });
  const table = (name: string, settings: object): ImportedUnit => ({
    kind: "compose",
    name,
    services: [`${name}.b`],
    settings: { file: "/srv/a.yaml", ...settings },
  });
  const from = importOf(table("bad", { b: { instances: 65 } }), table("good", {}));
  const entries = from.entries.map((entry) => ({ ...entry, unit: `${entry.unit}.b` }));
  const { imported, text } = checkImported({ ...from, entries }, { input: read });
  assert.match(text, /^# .*: good\n\[compose\.good\]\nfile = /);
  assert.match(JSON.stringify(imported.entries[0]?.fate), /refused.*b\.instances: .*64/);
  assert.deepEqual(imported.entries[1]?.fate, { is: "taken" });
});
