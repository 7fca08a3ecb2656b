import assert from "node:assert/strict";
import fc from "fast-check";
import { createPlacer, findHeaders } from "../../../src/core/config/place.ts";
import { load } from "./memory.ts";

const headers = [
  "[daemon]",
  "[defaults]",
  "[tasks.a]",
  '[tasks."b.c"]',
  "[services.s]",
  "[services.s.health_check]",
  "[[tasks.a.params]]",
  "[notify]",
  "[notifiers.n]",
  "[[route]]",
  "[compose.z]",
  "[compose.z.web]",
  "[storage]",
  "[__proto__]",
];

const keys = [
  "run",
  "cron",
  "timezone",
  "timeout",
  "env",
  "env.X",
  "secrets",
  "env_file",
  "include",
  "failures",
  "exit_codes",
  "hook_tokens",
  "depends_on",
  "limits",
  "health_check",
  "params",
  "type",
  "url",
  "match",
  "notify",
  "file",
  "services",
  "http",
  "default",
  "choices",
  "flag",
  "constructor",
  "__proto__",
  "keep_runs",
  "catch_up",
  "max_size",
];

const values = [
  '"x"',
  '"@daily"',
  '"1s"',
  '"${NONE}"',
  '"${file:x}"',
  "'''\n[tasks.a]\n'''",
  '"""a\\\n  b"""""',
  "0",
  "-1",
  "1.5",
  "inf",
  "nan",
  "true",
  "2020-01-01",
  "07:32:00",
  "[]",
  '["a", "s", 1]',
  '["output:(", "3"]',
  "[[1], {}]",
  "{}",
  '{ a = 1, run = "x" }',
  '{ kinds = ["run.failed"] }',
  '[{ token = "t", allow = ["run"] }, 5]',
  '{ __proto__ = { run = "x" } }',
];

const line = fc.oneof(
  fc.constantFrom(...headers),
  fc.tuple(fc.constantFrom(...keys), fc.constantFrom(...values)).map(([key, value]) => `${key} = ${value}`),
);

Deno.test(
  "loadConfig() answers any TOML with a configuration or with placed errors",
  { permissions: "none" },
  () => {
    let parsed = 0;
    fc.assert(
      fc.property(fc.uniqueArray(line, { maxLength: 25, selector: (it) => it.split(" = ")[0] }), (parts) => {
        const { config, errors, warnings } = load(parts.join("\n"));
        assert.equal(config === undefined, errors.length > 0);
        if (!errors.some(({ message }) => message.startsWith("not valid TOML"))) parsed++;
        for (const { file, line, key, message } of [...errors, ...warnings]) {
          assert.equal(file, "/c/svc.toml");
          assert.ok(line > 0 || key === "", `${key}: ${message}`);
          assert.ok(!/[\n\0]|\.$|undefined|invalid_|Invalid input/.test(message), message);
        }
        const told = errors.map((problem) => JSON.stringify(problem));
        assert.equal(new Set(told).size, told.length);
      }),
      { seed: 71, numRuns: 3000 },
    );
    // The property would be hollow if hardly anything got past the parser.
    assert.ok(parsed > 1000, `${parsed} parsed`);
  },
);

Deno.test("loadConfig() answers any text without throwing", { permissions: "none" }, () => {
  const unit = fc.constantFrom(
    "[",
    "]",
    "{",
    "}",
    "=",
    '"',
    "'",
    '"""',
    "\n",
    "#",
    ".",
    "a",
    "tasks",
    "run",
    " ",
    "\\",
    "1",
  );
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 60 }), (parts) => {
      const { config, errors } = load(parts.join(""));
      assert.equal(config === undefined, errors.length > 0);
    }),
    { seed: 72, numRuns: 3000 },
  );
});

Deno.test("loadConfig() survives nesting beyond reason", { permissions: "none" }, () => {
  for (const text of [`a = ${"[".repeat(200_000)}`, `a = ${"[".repeat(50_000)}${"]".repeat(50_000)}`]) {
    assert.equal(load(text).errors.length > 0, true);
  }
  assert.equal(load(`${"a.".repeat(100_000)}a = 1`).errors.length > 0, true);
});

Deno.test("findHeaders() agrees with the parser about where sections and units stand", {
  permissions: "none",
}, () => {
  const unit = fc.tuple(
    fc.constantFrom("tasks", "services"),
    fc.stringMatching(/^[a-z0-9][a-z.:"-]{0,4}$/),
    fc.constantFrom(...values),
  );
  fc.assert(
    fc.property(fc.uniqueArray(unit, { selector: ([kind, name]) => `${kind}.${name}` }), (units) => {
      const text = units.map(([kind, name, value]) =>
        ` [${kind}.${/^[a-z0-9-]+$/.test(name) ? name : JSON.stringify(name)}] # '''\nx = ${value} # """\n`
      ).join("");
      const scanned = findHeaders(text);
      for (const [kind, name] of units) {
        const placer = createPlacer(text);
        // Enough questions make the placer parse.
        for (let asked = 0; asked < 30; asked++) placer(["tasks", "nothing"]);
        assert.deepEqual(scanned.get(`${kind}.${name}`), placer([kind, name]), text);
      }
    }),
    { seed: 73, numRuns: 300 },
  );
});
