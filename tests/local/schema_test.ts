import assert from "node:assert/strict";
import { daemonSection, storageSection } from "../../src/core/config/daemon_schema.ts";
import { valueAt } from "../../src/core/config/source.ts";
import { defaultsSection, serviceSection, taskSection } from "../../src/core/config/unit_schema.ts";
import { configSchema } from "../../src/local/schema.ts";
import { validate } from "../../src/local/validate.ts";

const schema = configSchema();

function at(...path: string[]): unknown {
  return valueAt(schema, path);
}

Deno.test("configSchema() is a strict JSON Schema of 2020-12 with a title", () => {
  assert.equal(at("$schema"), "https://json-schema.org/draft/2020-12/schema");
  assert.equal(at("additionalProperties"), false);
  assert.equal(at("properties", "tasks", "additionalProperties", "additionalProperties"), false);
  assert.equal(typeof at("title"), "string");
  assert.deepEqual(JSON.parse(JSON.stringify(schema)), schema);
});

Deno.test("configSchema() describes every key that the loader knows", () => {
  const sections: [keys: readonly string[], path: string[]][] = [
    [daemonSection.keys, ["daemon"]],
    [storageSection.keys, ["storage"]],
    [defaultsSection.keys, ["defaults"]],
    [taskSection.keys, ["tasks", "additionalProperties"]],
    [serviceSection.keys, ["services", "additionalProperties"]],
  ];
  for (const [keys, path] of sections) {
    const properties = at("properties", ...path, "properties");
    assert.deepEqual(Object.keys(properties ?? {}).sort(), [...keys].sort());
    for (const key of keys) {
      assert.match(
        String(valueAt(properties, [key, "description"])),
        /[^.]\.$/,
        `${path[0]}.${key}`,
      );
    }
  }
});

Deno.test("configSchema() tells types, bounds and defaults as TOML spells them", () => {
  const task = (key: string, what: string): unknown =>
    at("properties", "tasks", "additionalProperties", "properties", key, what);
  assert.equal(task("graceful_stop", "default"), "5s");
  assert.deepEqual(task("exit_codes", "default"), [0]);
  assert.equal(task("catch_up", "default"), "latest");
  assert.deepEqual(task("catch_up", "enum"), ["latest", "all", "skip"]);
  assert.deepEqual([task("max_concurrent", "minimum"), task("max_concurrent", "maximum")], [1, 1024]);
  assert.equal(task("cron", "default"), undefined);
  assert.equal(at("properties", "defaults", "properties", "graceful_stop", "default"), undefined);
  const check = ["properties", "services", "additionalProperties", "properties", "health_check", "oneOf"];
  assert.deepEqual(at(...check), [{ required: ["run"] }, { required: ["http"] }, { required: ["tcp"] }]);
  assert.ok(!JSON.stringify(schema).includes("svcDefault"));
});

Deno.test("configSchema() has no key that the reference in docs leaves out", async () => {
  const reference = await Deno.readTextFile(new URL("../../docs/configuration.md", import.meta.url));
  const keys = new Set<string>();
  const walk = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === "properties") { for (const name of Object.keys(value)) keys.add(name); }
      walk(value);
    }
  };
  walk(at("properties"));
  assert.ok(keys.size > 100, `${keys.size} keys`);
  for (const key of keys) {
    assert.ok(new RegExp(`\\b${key}\\b[^\\n]*\``).test(reference) || reference.includes(`${key} =`), key);
  }
});

Deno.test("configSchema() and loader agree on the example in docs", async () => {
  const reference = await Deno.readTextFile(new URL("../../docs/configuration.md", import.meta.url));
  const example = /```toml\n([\s\S]*?)```/.exec(reference)?.[1] ?? "";
  const folder = await Deno.makeTempDir({ prefix: "svc-docs-" });
  try {
    await Deno.writeTextFile(`${folder}/svc.toml`, example);
    const { valid, errors, warnings } = await validate(`${folder}/svc.toml`, { env: {} });
    assert.deepEqual({ valid, errors, warnings }, { valid: true, errors: [], warnings: [] });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** What a schema that is made of these few words says of a value; undefined for words that it does not know. */
function takes(rule: Record<string, unknown>, value: unknown): boolean {
  const table = typeof value === "object" && value !== null ? value as Record<string, unknown> : undefined;
  return Object.entries(rule).every(([word, said]) => {
    if (word === "required") return table === undefined || (said as string[]).every((key) => key in table);
    if (word === "not") return !takes(said as Record<string, unknown>, value);
    if (word === "properties") {
      return Object.entries(said as Record<string, Record<string, unknown>>).every(([key, inner]) =>
        table === undefined || !(key in table) || takes(inner, table[key])
      );
    }
    if (word !== "additionalProperties") throw new RangeError(`no word of this test: ${word}`);
    return Object.values(table ?? {}).every((inner) => takes(said as Record<string, unknown>, inner));
  });
}

Deno.test("configSchema() wants a script of each unit, unless [defaults] has one, as the loader does", () => {
  const isFine = (config: object): boolean =>
    !takes(at("if") as Record<string, unknown>, config) ||
    takes(at("then") as Record<string, unknown>, config);
  assert.equal(isFine({ tasks: { a: {} } }), false);
  assert.equal(isFine({ services: { a: { run: "x" }, b: { instances: 2 } } }), false);
  assert.equal(isFine({ defaults: { user: "me" }, tasks: { a: {} } }), false);
  assert.equal(isFine({ defaults: { run: "x" }, tasks: { a: {} } }), true);
  assert.equal(isFine({ tasks: { a: { run: "x" } }, services: { b: { run: "x" } } }), true);
  // A service of a compose file has its command there.
  assert.equal(isFine({ compose: { a: { file: "x", web: { restart: "never" } } } }), true);
});

Deno.test("configSchema() has patterns that take what the loader takes, and variables", () => {
  const task = (key: string): RegExp =>
    new RegExp(String(at("properties", "tasks", "additionalProperties", "properties", key, "pattern")));
  const values: [key: string, good: string[], bad: string[]][] = [
    ["timeout", ["1h30m", "1.5s", "0", "250ms", "2w", "${T}", "${T:-5s}"], [
      "",
      "5",
      "1 h",
      "-1s",
      "1y",
      "1h30",
    ]],
    ["expect_every", ["25h", "auto", "0", "${T}"], ["daily", "5"]],
    ["log_max_size", ["4096", "100mb", "1.5GiB", "10k", "${S}"], ["", "10 mb", "1pb", "-1"]],
    ["cron", ["0 2 * * *", "*/5 * * * * *", " @Daily ", "@every 1h30m", "0 0 L-3,15W * MON#2", "${C}"], [
      "",
      "@dayly",
      "* * * *",
      "0 0 0 0 0 0 0",
      "@every soon",
      "0 2 * * ~",
    ]],
  ];
  for (const [key, good, bad] of values) {
    for (const text of good) assert.match(text, task(key), key);
    for (const text of bad) assert.doesNotMatch(text, task(key), key);
  }
});
