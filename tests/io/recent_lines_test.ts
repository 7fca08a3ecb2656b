import assert from "node:assert/strict";
import { daemonLog } from "../../src/io/daemon_log.ts";
import { RecentLines } from "../../src/io/recent_lines.ts";
import { noon } from "../support/units.ts";

Deno.test("RecentLines keeps the newest lines and hands out those that come", () => {
  const lines = new RecentLines(3);
  for (const line of ["a", "b", "c", "d"]) lines.push(line);
  const before = lines.recent();
  const seen: string[] = [];
  const unsubscribe = lines.subscribe((line) => seen.push(line));
  lines.push("e");
  unsubscribe();
  lines.push("f");
  assert.deepEqual(before, ["b", "c", "d"]);
  assert.deepEqual(seen, ["e"]);
  assert.deepEqual(lines.recent(), ["d", "e", "f"]);
});

Deno.test("daemonLog() keeps lines with their times also where it writes none", () => {
  const written: string[] = [];
  const kept = new RecentLines(9);
  const log = daemonLog({
    level: "info",
    format: "text",
    times: false,
    now: () => noon,
    write: (line) => written.push(line),
    keep: (line) => kept.push(line),
  });
  log.warn("odd");
  log.debug("left out");
  assert.deepEqual(written, ["warn  odd"]);
  assert.deepEqual(kept.recent(), ["2027-01-15T12:00:00.000Z warn  odd"]);
});
