/** What has no counterpart anywhere, whichever way a unit goes. */

import type { FailureRule, Unit } from "../../types.ts";
import { formatDuration } from "../../core/duration.ts";
import { defaultFailures } from "../../core/outcome.ts";
import type { Account } from "./exported.ts";
import { mentions } from "./unit_facts.ts";

/** Notes what no target can say of a unit. */
export function noteCommon(unit: Unit, account: Account): void {
  const note = (message: string) => account.note(unit, message);
  if (unit.notify.length > 0) note(`nobody is told of its failures (notify = ${listOf(unit.notify)})`);
  if (unit.hookTokens.length > 0) note("its hook tokens start nothing any more");
  if (!isDefault(unit.failures)) {
    note("its failures are those of the exit code alone (failures has no counterpart)");
  }
  if (unit.logOnFull === "kill_task") note("a log that gets too long no longer stops it (log_on_full)");
  const unset = ["SVC_RUN_ID", "SVC_TRIGGER", "SVC_ATTEMPT"].filter((name) =>
    mentions(unit, name) && !(unit.kind === "service" && unit.compose !== undefined)
  );
  if (unset.length > 0) note(`its script speaks of ${unset.join(" and ")}, which nothing sets any more`);
  if (unit.kind === "service") {
    if (unit.priority !== 0) note(`its place in the order of start is lost (priority = ${unit.priority})`);
    return;
  }
  if (unit.params.length > 0) {
    note(
      `its parameters (${unit.params.map(({ key }) => key).join(", ")}) have the values of their defaults`,
    );
    const bare = unit.params.filter((param) => param.required && param.default === undefined);
    if (bare.length > 0) {
      note(`${listOf(bare.map(({ key }) => key))} must have a value and has no default: add it by hand`);
    }
  }
  if (unit.expectEvery !== 0) note("nobody is told when it hasn't succeeded for long (expect_every)");
  if (unit.warnAfter !== undefined && unit.warnAfter > 0) {
    note(`nobody is told when it runs for more than ${formatDuration(unit.warnAfter)} (warn_after)`);
  }
  if (unit.pingUrl !== undefined) note("its ping_url is not called: call it in the script");
}

function listOf(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(", ");
}

function isDefault(rules: readonly FailureRule[]): boolean {
  const reasons = new Set<string>(defaultFailures);
  return rules.length === reasons.size &&
    rules.every((rule) => rule.kind === "reason" && reasons.has(rule.reason));
}
