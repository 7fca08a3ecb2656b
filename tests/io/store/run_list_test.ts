import assert from "node:assert/strict";
import fc from "fast-check";
import { matches, type RunFilter, sortFields } from "../../../src/core/selector.ts";
import { Store } from "../../../src/io/store/store.ts";
import type { Run } from "../../../src/types.ts";
import { noon, run } from "../../support/units.ts";

const moves = fc.array(
  fc.record({
    do: fc.constantFrom(
      "insert" as const,
      "insert" as const,
      "end" as const,
      "fail" as const,
      "hide" as const,
      "restore" as const,
      "remove" as const,
    ),
    at: fc.nat(30),
  }),
  { maxLength: 40 },
);

const filters: RunFilter[] = [
  {},
  { unit: "a" },
  { triggers: ["api", "cli"] },
  { states: { statuses: ["pending"], reasons: ["failed", "unhealthy"] } },
  { isFailure: true },
  { exitCodeMin: 1 },
  { search: "B" },
  { search: "R0001" },
  { search: "R0001", unit: "a" },
  { createdAfter: noon + 3, createdBefore: noon + 20 },
  { search: "zzzz" },
];

Deno.test("list() pages and counts like a model, whatever was stored, hidden, restored and removed", () => {
  fc.assert(
    fc.property(moves, (story) => {
      const store = new Store(":memory:");
      const live = new Map<string, Run>();
      const hidden = new Map<string, Run>();
      let made = 0;
      for (const move of story) {
        const id = `R${String(move.at).padStart(5, "0")}`;
        const one = live.get(id);
        if (move.do === "insert") {
          const fresh = run({
            id: `R${String(made++).padStart(5, "0")}`,
            unit: "ab"[move.at % 2]!,
            trigger: (["api", "cli", "cron"] as const)[move.at % 3]!,
            createdAt: noon + move.at,
          });
          store.runs.insert(fresh);
          live.set(fresh.id, fresh);
        } else if (move.do === "hide" && one?.status === "ended") {
          assert.equal(store.runs.markDeleted([id], noon), 1);
          live.delete(id);
          hidden.set(id, one);
        } else if (move.do === "restore" && hidden.has(id)) {
          store.picks.restore([id], 0);
          live.set(id, hidden.get(id)!);
          hidden.delete(id);
        } else if (move.do === "remove") {
          store.runs.remove(id);
          live.delete(id);
          hidden.delete(id);
        } else if ((move.do === "end" || move.do === "fail") && one !== undefined) {
          const failed = move.do === "fail";
          Object.assign(one, {
            status: "ended",
            endReason: failed ? "failed" : "success",
            exitCode: failed ? 3 : 0,
            isFailure: failed,
          });
          Object.assign(one, { startedAt: noon, endedAt: noon + move.at });
          store.runs.update(one);
        }
      }
      for (const filter of filters) {
        const wanted = [...live.values()].filter((one) => matches(filter, one)).map(({ id }) => id).sort();
        for (const sort of sortFields) {
          for (const descending of [false, true]) {
            const seen: string[] = [];
            for (let offset = 0;; offset += 4) {
              const page = store.runs.list({ filter, sort, descending, limit: 4, offset });
              assert.equal(page.total, wanted.length, `${JSON.stringify(filter)} ${sort}`);
              seen.push(...page.runs.map(({ id }) => id));
              if (offset + 4 >= page.total) break;
            }
            assert.deepEqual(seen.sort(), wanted, `${JSON.stringify(filter)} ${sort}`);
          }
        }
      }
      store.close();
    }),
    { seed: 11, numRuns: 40 },
  );
});

Deno.test("list() counts a text that is in very many ids, names and deleted runs considered", () => {
  const store = new Store(":memory:");
  const runs = Array.from({ length: 5000 }, (_, n) =>
    run({
      id: `R${String(n).padStart(6, "0")}`,
      unit: n % 3 === 0 ? "unit-1" : "other",
      status: "ended",
      endReason: "success",
      createdAt: noon + n,
    }));
  store.transaction(() => runs.forEach((one) => store.runs.insert(one)));
  store.runs.markDeleted(["R000001", "R000003", "R000004"], noon);
  const live = runs.filter(({ id }) => !["R000001", "R000003", "R000004"].includes(id));
  for (const search of ["1", "00", "r0"]) {
    const wanted = live.filter((one) => matches({ search }, one)).map(({ id }) => id);
    assert.ok(wanted.length > 2000, search);
    const options = { sort: "created_at" as const, descending: false, limit: 1000, offset: 1000 };
    const { runs: page, total } = store.runs.list({ filter: { search }, ...options });
    assert.equal(total, wanted.length, search);
    assert.deepEqual(page.map(({ id }) => id), wanted.slice(1000, 2000), search);
  }
  store.close();
});
