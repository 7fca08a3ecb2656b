import assert from "node:assert/strict";
import { accountJson, accountLines, remarksOf } from "../../../src/importers/import/account.ts";
import type { Entry, Imported, ImportedUnit } from "../../../src/importers/import/imported.ts";

const imported: Imported = {
  units: [{ kind: "task", name: "report", settings: { run: "report" } }],
  entries: [
    {
      file: "/etc/crontab",
      line: 3,
      what: "@daily report",
      unit: "report",
      fate: { is: "noted", notes: ["first\nhalf", "second"] },
    },
    { file: "-", line: 0, what: "the table", fate: { is: "refused", why: "it can't be read" } },
    { file: "-", line: 2, what: "PATH=", fate: { is: "taken" } },
  ],
};

Deno.test("accountLines() has a line for each entry, its notes below it, and the counts", () => {
  assert.deepEqual(accountLines(imported), [
    "/etc/crontab:3: @daily report: taken as report, with a note",
    "  first half",
    "  second",
    "standard input: the table: not taken: it can't be read",
    "standard input:2: PATH=: taken",
    "1 unit from 3 entries: 1 taken, 1 taken with a note, 1 not taken",
  ]);
  assert.deepEqual(accountLines({ units: [], entries: [] }), ["nothing to import stands there"]);
  const broken = { file: "/x", line: 7, why: "a tab" };
  assert.deepEqual(accountLines({ units: [], entries: [], broken }), ["/x:7: a tab; nothing is taken"]);
});

Deno.test("accountJson() gives each entry its fate, with notes or a reason", () => {
  assert.deepEqual(accountJson(imported), {
    counts: { taken: 1, noted: 1, refused: 1 },
    units: [{ kind: "task", name: "report" }],
    entries: [
      {
        file: "/etc/crontab",
        line: 3,
        what: "@daily report",
        unit: "report",
        fate: "noted",
        notes: ["first\nhalf", "second"],
      },
      { file: "-", line: 0, what: "the table", fate: "refused", why: "it can't be read" },
      { file: "-", line: 2, what: "PATH=", fate: "taken" },
    ],
  });
});

Deno.test("remarksOf() says where a unit comes from, and what was noted", () => {
  const [unit] = imported.units;
  assert.deepEqual(remarksOf(imported)(unit!), [
    "/etc/crontab:3: @daily report",
    "  note: first\nhalf",
    "  note: second",
  ]);
});

Deno.test("accountLines(), accountJson() and remarksOf() see the services of a compose table", () => {
  const entry = (name: string, line: number): Entry => ({
    file: "/srv/a.yaml",
    line,
    what: name,
    unit: `a.${name}`,
    fate: { is: "taken" },
  });
  const table: ImportedUnit = { kind: "compose", name: "a", services: ["a.b", "a.c"], settings: {} };
  const both: Imported = { units: [table], entries: [entry("b", 2), entry("c", 3)] };
  assert.equal(
    accountLines(both).at(-1),
    "2 units from 2 entries: 2 taken, 0 taken with a note, 0 not taken",
  );
  assert.deepEqual((accountJson(both) as { units: unknown }).units, [
    { kind: "service", name: "a.b" },
    { kind: "service", name: "a.c" },
  ]);
  assert.deepEqual(remarksOf(both)(table), ["/srv/a.yaml:2: b", "/srv/a.yaml:3: c"]);
});
