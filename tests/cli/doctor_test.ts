import assert from "node:assert/strict";
import { bad, type Finding, ok, warn } from "../../src/core/doctor/finding.ts";
import { golden } from "./golden.ts";
import { call, memoryTerminal } from "./memory.ts";

const findings = [
  ok("configuration", "/srv/svc.toml, 3 units"),
  warn("time zone", "the clock shows another time than the wall", "look at both"),
  bad("port", "127.0.0.1:8420 is in use by another program", "end that one, or choose another with --port"),
];

function finding(found: Finding[]) {
  return { examine: () => Promise.resolve(found) };
}

Deno.test("svc doctor shows each finding with what to do, and exits with 1 when one is bad", async () => {
  const text = await call(["doctor"], { locals: finding(findings) });
  assert.deepEqual([text.code, text.stdout], [1, golden("doctor.txt")]);
  const json = await call(["doctor", "--json"], { locals: finding(findings) });
  assert.deepEqual([json.code, json.stdout], [1, golden("doctor.json")]);
  const worth = await call(["doctor"], { locals: finding(findings.slice(0, 2)) });
  assert.equal(worth.code, 0);
  assert.match(worth.stdout, /\n\n1 worth a look, of 2 checks\.\n$/);
});

Deno.test("svc doctor fits 20 columns, and speaks ASCII where that is all", async () => {
  const terminal = memoryTerminal({ isTerminal: true, width: 20, env: { LANG: "C", TERM: "dumb" } });
  const { stdout } = await call(["doctor"], { locals: finding(findings), terminal });
  assert.match(stdout, /^\+ configuration\n {2}\/srv\/svc\.toml, 3\n {2}units\n! time zone\n/);
  assert.match(stdout, /^[\n\x20-\x7e]*$/);
});

Deno.test("svc doctor is about this machine", async () => {
  const { code, stderr } = await call(["doctor", "--url", "http://box:1"], { locals: finding([]) });
  assert.equal(code, 2);
  assert.match(stderr, /^svc: doctor looks at this machine: leave --url out/);
});
