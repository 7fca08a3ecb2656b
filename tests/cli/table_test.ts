import assert from "node:assert/strict";
import { styleOf } from "../../src/cli/style.ts";
import { type Cell, type Column, renderTable } from "../../src/cli/table.ts";
import { memoryTerminal } from "./memory.ts";

const columns: Column[] = [
  { title: "", rank: 0 },
  { title: "UNIT", rank: 0 },
  { title: "STATE", rank: 1 },
  { title: "SCHEDULE", rank: 3, least: 10 },
  { title: "TOOK", rank: 2, align: "right" },
];
const rows: Cell[][] = [
  [{ text: "✓", role: "good" }, "backup-db", "ok", "every 15 minutes on weekdays", "1.2 s"],
  [{ text: "✕", role: "bad" }, "certs", "failed (1)", "daily at 02:00", "4 m 07 s"],
];

function table(
  width: number,
  options: { isTerminal?: boolean; env?: Record<string, string> } = {},
): string[] {
  const { out, env } = memoryTerminal(options);
  return renderTable(columns, rows, { width, style: styleOf(out, env) });
}

Deno.test("renderTable() shows everything where there is room", { permissions: "none" }, () => {
  const whole = [
    "  UNIT       STATE       SCHEDULE                          TOOK",
    "✓ backup-db  ok          every 15 minutes on weekdays     1.2 s",
    "✕ certs      failed (1)  daily at 02:00                4 m 07 s",
  ];
  assert.deepEqual(table(Infinity), whole);
  assert.deepEqual(table(200), whole);
  assert.deepEqual(table(80), whole);
});

Deno.test("renderTable() narrows what may be narrow before a column goes", { permissions: "none" }, () => {
  assert.deepEqual(table(60), [
    "  UNIT       STATE       SCHEDULE                       TOOK",
    "✓ backup-db  ok          every 15 minutes on week…     1.2 s",
    "✕ certs      failed (1)  daily at 02:00             4 m 07 s",
  ]);
});

Deno.test("renderTable() lets columns go by rank, and cuts what is left", { permissions: "none" }, () => {
  assert.deepEqual(table(40), [
    "  UNIT       STATE           TOOK",
    "✓ backup-db  ok             1.2 s",
    "✕ certs      failed (1)  4 m 07 s",
  ]);
  assert.deepEqual(table(20), ["  UNIT", "✓ backup-db", "✕ certs"]);
  assert.deepEqual(table(7), ["  UNIT", "✓ back…", "✕ certs"]);
});

Deno.test("renderTable() is never wider than asked for", { permissions: "none" }, () => {
  for (let width = 3; width < 90; width++) {
    for (const line of table(width)) assert.ok([...line].length <= width, `${width}: ${line}`);
  }
});

Deno.test("renderTable() colours on a terminal only, and not with NO_COLOR", { permissions: "none" }, () => {
  const coloured = table(80, { isTerminal: true });
  assert.ok(coloured[1]?.startsWith("\x1b[32m✓\x1b[0m backup-db"), coloured[1]);
  const plain = table(80, { isTerminal: true, env: { LANG: "C.UTF-8", NO_COLOR: "1" } });
  assert.deepEqual(plain, table(80));
});

Deno.test("styleOf() speaks ASCII where the locale is not UTF-8", { permissions: "none" }, () => {
  const styleIn = (env: Record<string, string>) => styleOf(memoryTerminal().out, env);
  assert.equal(styleIn({ LANG: "en_US.UTF-8" }).markNamed("ok"), "✓");
  assert.equal(styleIn({ LANG: "en_US.utf8", LC_ALL: "C" }).markNamed("ok"), "+");
  assert.equal(styleIn({ LC_CTYPE: "C.UTF-8", LANG: "C" }).markNamed("ok"), "✓");
  assert.equal(styleIn({}).ellipsis, "...");
});
