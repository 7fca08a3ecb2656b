import assert from "node:assert/strict";
import { describe } from "../../../../src/core/import/cron/remarks.ts";

Deno.test("describe() joins the remarks right above an entry", () => {
  assert.equal(
    describe(["# Rebuild the index", "#  (wants the lists first)"]),
    "Rebuild the index (wants the lists first)",
  );
  assert.equal(describe(["## at 5 every day: report"]), "at 5 every day: report");
  assert.equal(describe([]), "");
});

Deno.test("describe() passes over what describes nothing, and what stands above it", () => {
  const nothing = [
    "#",
    "# ==========",
    "#-----",
    "# m h  dom mon dow   command",
    "# minute (0-59), hour, day, month, weekday, command",
    "# |  |  .------- hour",
    "# *  *  *  *  * account  command",
    "#*/10 * * * * /opt/x/off",
    "## 0 5 * * * /opt/x/off",
    "#@weekly /opt/x/off",
    "#@reboot /opt/x/off",
    "# vim: ft=crontab",
  ];
  for (const line of nothing) {
    assert.equal(describe(["# before", line]), "", line);
    assert.equal(describe([line, "# Report"]), "Report", line);
  }
});
