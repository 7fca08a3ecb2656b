import assert from "node:assert/strict";
import { Account } from "../../../src/importers/export/exported.ts";
import { dnsNames } from "../../../src/importers/export/names.ts";
import { task } from "../../support/units.ts";

Deno.test("dnsNames() gives each unit a DNS label of its own, and tells each that had to change", () => {
  const account = new Account();
  const long = "x".repeat(80);
  const units = ["Web", "web", "web-2", "WEB", "a.b:c_d", "a-b-c-d", "9-", long, `${long}y`].map((name) =>
    task({ name })
  );
  const names = dnsNames(units, account);
  assert.equal(new Set(names.values()).size, units.length);
  for (const name of names.values()) assert.match(name, /^[a-z0-9](?:[a-z0-9-]{0,50}[a-z0-9])?$/);
  for (const kept of ["web", "web-2", "a-b-c-d"]) assert.equal(names.get(kept), kept);
  assert.equal(names.get("Web"), "web-3");
  assert.equal(names.get("9-"), "9");
  const changed = units.map(({ name }) => name).filter((name) => names.get(name) !== name).sort();
  assert.deepEqual(account.notes.map(({ unit }) => unit).sort(), changed);
});
