import assert from "node:assert/strict";
import { notifiersFor } from "../../src/core/notice_routes.ts";
import { type Happening, happeningOfRun } from "../../src/core/notices.ts";
import type { NotifySettings, Route } from "../../src/types.ts";
import { configOf, run } from "../support/units.ts";

const failed = happeningOfRun(
  run({ id: "R1", unit: "db-backup", status: "ended", endReason: "failed", isFailure: true }),
  { wasFailing: false },
)!;
const recovered: Happening = { ...failed, kind: "run.recovered", severity: "info", isFailure: false };
const failing: Happening = { ...failed, kind: "service.failing", severity: "warn" };

function idsFor(
  happening: Happening,
  { ofUnit = [], ...own }: Partial<NotifySettings> & { ofUnit?: string[] },
): string[] {
  return [...notifiersFor(happening, { settings: { ...configOf([]).notify, ...own }, ofUnit })];
}

function route(own: Partial<Route>): Partial<NotifySettings> {
  return { routes: [{ kinds: [], notify: ["r"], ...own }] };
}

Deno.test("notifiersFor() names those that hear everything, each once", { permissions: "none" }, () => {
  assert.deepEqual(idsFor(failing, { globalNotifiers: ["inapp", "chat"], ...route({ notify: ["chat"] }) }), [
    "inapp",
    "chat",
  ]);
  assert.deepEqual(idsFor(failed, {}), []);
});

Deno.test("notifiersFor() gives a unit's own notifiers its failures and its recovery, and no more", {
  permissions: "none",
}, () => {
  assert.deepEqual(idsFor(failed, { ofUnit: ["u"] }), ["u"]);
  assert.deepEqual(idsFor(recovered, { ofUnit: ["u"] }), ["u"]);
  assert.deepEqual(idsFor({ ...failing, kind: "service.fatal" }, { ofUnit: ["u"] }), ["u"]);
  assert.deepEqual(idsFor(failing, { ofUnit: ["u"] }), []);
});

Deno.test("notifiersFor() takes a route whose conditions all hold", { permissions: "none" }, () => {
  const yes: Partial<Route>[] = [
    {},
    { kinds: ["run.crashed", "run.failed"] },
    { severity: "error" },
    { task: "db-*" },
    { failure: true },
    { kinds: ["run.failed"], severity: "error", task: "{db,web}-*", failure: true },
  ];
  for (const own of yes) assert.deepEqual(idsFor(failed, route(own)), ["r"], JSON.stringify(own));
  const no: Partial<Route>[] = [
    { kinds: ["run.crashed"] },
    { severity: "warn" },
    { task: "db" },
    { task: "[z-a]*" },
    { failure: false },
    { kinds: ["run.failed"], severity: "error", task: "web-*", failure: true },
  ];
  for (const own of no) assert.deepEqual(idsFor(failed, route(own)), [], JSON.stringify(own));
  assert.deepEqual(idsFor(recovered, route({ failure: false })), ["r"]);
});
