import assert from "node:assert/strict";
import { pickUnits } from "../../src/cli/pick_units.ts";
import { Fault } from "../../src/fault.ts";

const units = ["backup-db", "backup-files", "web", "web.api"].map((name) => ({ name }));
const pick = (...patterns: string[]): string[] => pickUnits(units, patterns).map(({ name }) => name);

Deno.test("pickUnits() takes names and globs, each unit once", { permissions: "none" }, () => {
  assert.deepEqual(pick("web"), ["web"]);
  assert.deepEqual(pick("web*", "web", "backup-d?"), ["web", "web.api", "backup-db"]);
  assert.deepEqual(pick("*"), units.map(({ name }) => name));
  assert.deepEqual(pick("{web,backup-db}"), ["backup-db", "web"]);
});

Deno.test("pickUnits() suggests the nearest name, and refuses a glob that matches nothing", {
  permissions: "none",
}, () => {
  const refused = (pattern: string): string => {
    try {
      pick("web", pattern);
    } catch (error) {
      if (error instanceof Fault && error.code === "not_found") return error.message;
      throw error;
    }
    return "";
  };
  assert.equal(refused("bakcup-db"), 'no unit "bakcup-db": did you mean "backup-db"?');
  assert.equal(refused("zzz"), 'no unit "zzz": "svc list" shows all');
  assert.equal(refused("z*"), 'no unit matches "z*": "svc list" shows all');
});
