import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { camelTriggers, endReasons, statuses } from "../../src/core/run_words.ts";
import {
  filterToCounts,
  filterToSql,
  matches,
  type RunFilter,
  sortFields,
  sortToSql,
} from "../../src/core/selector.ts";
import { migrations } from "../../src/io/store/migrations.ts";
import { RunStore } from "../../src/io/store/runs.ts";
import type { Run } from "../../src/types.ts";
import { noon, run } from "../support/units.ts";

const name = fc.stringMatching(/^[a-cA-C0][a-cA-C0._:-]{0,3}$/);
const anyRun: fc.Arbitrary<Partial<Run>> = fc.record({
  unit: name,
  exitCode: fc.integer({ min: -2, max: 4 }),
  trigger: fc.constantFrom(...camelTriggers),
  createdAt: fc.integer({ min: noon, max: noon + 5 }),
  isFailure: fc.boolean(),
  retryAttempt: fc.integer({ min: 0, max: 2 }),
  startedAt: fc.integer({ min: noon, max: noon + 9 }),
}).chain((base) =>
  fc.oneof(
    fc.constant({ ...base, status: "pending" as const }),
    fc.constant({ ...base, status: "running" as const }),
    fc.record({
      endReason: fc.constantFrom(...endReasons),
      endedAt: fc.integer({ min: noon + 9, max: noon + 20 }),
    })
      .map((end) => ({ ...base, status: "ended" as const, ...end })),
  )
);
const search = fc.oneof(
  name,
  fc.constantFrom(
    "",
    "%",
    "_",
    "\\",
    "a%",
    "a_c",
    "'",
    '"',
    "\0",
    "A\0",
    "é",
    "ß",
    "K",
    "İ",
    "\ud800",
    "R00",
    "R000",
    "r000",
    "0001",
    "0",
    "1",
    "*",
    "[a]",
  ),
  fc.string({ maxLength: 3, unit: "binary" }),
);
const anyFilter: fc.Arbitrary<RunFilter> = fc.record({
  createdAfter: fc.integer({ min: noon - 1, max: noon + 6 }),
  createdBefore: fc.integer({ min: noon - 1, max: noon + 6 }),
  exitCodeMin: fc.oneof(fc.integer({ min: -3, max: 5 }), fc.constant(1e20)),
  exitCodeMax: fc.oneof(fc.integer({ min: -3, max: 5 }), fc.constant(-1e20)),
  retriesOnly: fc.boolean(),
  search,
  states: fc.record({
    statuses: fc.subarray([...statuses]),
    reasons: fc.subarray([...endReasons]),
  }),
  isFailure: fc.boolean(),
  unit: name,
  triggers: fc.subarray([...camelTriggers], { minLength: 1 }),
}, { requiredKeys: [] });

function storeOf(runs: Partial<Run>[]): { db: DatabaseSync; runs: Run[] } {
  const db = new DatabaseSync(":memory:");
  for (const migration of migrations) db.exec(migration);
  const store = new RunStore(db);
  const stored = runs.map((own, i) => run({ id: `R${String(i).padStart(4, "0")}`, ...own }));
  for (const one of stored) store.insert(one);
  return { db, runs: stored };
}

Deno.test("filterToSql(), filterToCounts() and matches() mean the same, whatever the runs and the filter", () => {
  fc.assert(
    fc.property(
      fc.array(anyRun, { maxLength: 12 }),
      fc.array(anyFilter, { minLength: 10, maxLength: 10 }),
      (own, filters) => {
        const { db, runs } = storeOf(own);
        for (const filter of filters) {
          const { text, values } = filterToSql(filter);
          const found = db.prepare(`SELECT id FROM runs WHERE ${text} ORDER BY id`).all(...values).map((
            row,
          ) => row.id);
          const wanted = runs.filter((one) => matches(filter, one)).map(({ id }) => id);
          assert.deepEqual(found, wanted, JSON.stringify(filter));
          const dense = filterToSql(filter, { dense: true });
          assert.equal(
            db.prepare(`SELECT id FROM runs WHERE ${dense.text}`).all(...dense.values).length,
            wanted.length,
          );
          const counts = filterToCounts(filter);
          if (counts === undefined) continue;
          const sum = db.prepare(`SELECT coalesce(sum(n), 0) AS n FROM run_counts WHERE ${counts.text}`).get(
            ...counts.values,
          );
          assert.equal(sum?.n, wanted.length, JSON.stringify(filter));
        }
        db.close();
      },
    ),
    { seed: 9, numRuns: 250 },
  );
});

Deno.test("filterToSql() leaves out deleted runs", () => {
  const { db } = storeOf([{ status: "ended", endReason: "success" }, {}]);
  new RunStore(db).markDeleted(["R0000"], noon);
  const { text, values } = filterToSql({});
  assert.deepEqual(db.prepare(`SELECT id FROM runs WHERE ${text}`).all(...values).map((row) => row.id), [
    "R0001",
  ]);
  db.close();
});

Deno.test("sortToSql() orders every field both ways, each way a total order, absent values last", () => {
  fc.assert(
    fc.property(fc.array(anyRun, { maxLength: 12 }), fc.boolean(), (own, withUnstarted) => {
      const { db, runs } = storeOf(withUnstarted ? [...own, { unit: "a" }] : own);
      for (const field of sortFields) {
        const [up, down] = [false, true].map((descending) => {
          return db.prepare(`SELECT id FROM runs ORDER BY ${sortToSql(field, descending)}`).all().map((row) =>
            String(row.id)
          );
        });
        assert.equal(new Set(up).size, runs.length);
        const isPresent = (id: string): boolean => {
          const { startedAt, endedAt } = runs.find((one) => one.id === id)!;
          if (field === "start_at") return startedAt !== undefined;
          return field !== "duration" || (startedAt !== undefined && endedAt !== undefined);
        };
        assert.deepEqual(up!.filter(isPresent), down!.filter(isPresent).reverse(), field);
        for (const order of [up!, down!]) {
          const firstAbsent = order.findIndex((id) => !isPresent(id));
          assert.ok(firstAbsent < 0 || order.slice(firstAbsent).every((id) => !isPresent(id)));
        }
      }
      db.close();
    }),
    { seed: 10, numRuns: 100 },
  );
});
