import assert from "node:assert/strict";
import { renderValidation, validate } from "../../src/local/validate.ts";

async function withFile(text: string, work: (path: string) => Promise<void>): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "svc-validate-" }));
  try {
    await Deno.writeTextFile(`${folder}/svc.toml`, text);
    await work(`${folder}/svc.toml`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("validate() gives every error with its place, in the documented shape", () =>
  withFile('[tasks.a]\nrun = "x"\ncronn = "* * * * *"\nretry_attempts = 101\n', async (path) => {
    assert.deepEqual(await validate(path, { env: {} }), {
      schema_version: 1,
      valid: false,
      errors: [
        {
          file: path,
          line: 3,
          column: 1,
          key: "tasks.a.cronn",
          message: 'unknown key "cronn": did you mean "cron"?',
        },
        {
          file: path,
          line: 4,
          column: 1,
          key: "tasks.a.retry_attempts",
          message: "expected at most 100, got 101",
        },
      ],
      warnings: [],
    });
  }));

Deno.test("validate() warns of a pipe whose failure nobody would hear of", () =>
  withFile(
    '[tasks.a]\nrun = "a | b"\n[tasks.b]\nrun = "a | b"\nshell = "/bin/bash"\npipefail = true\n',
    async (path) => {
      const { valid, warnings } = await validate(path, { env: {} });
      assert.deepEqual([valid, warnings.map(({ line, key }) => [line, key])], [true, [[1, "tasks.a.run"]]]);
      assert.match(warnings[0]!.message, /^of a pipe only the last part counts: .*set pipefail = true/);
    },
  ));

Deno.test("validate() calls a file with warnings valid", () =>
  withFile("", async (path) => {
    const { valid, errors, warnings } = await validate(path, { env: {} });
    assert.deepEqual([valid, errors.length, warnings.length], [true, 0, 1]);
  }));

Deno.test("renderValidation() writes one line a problem and leaves out what a problem has not", () => {
  const lines = renderValidation({
    schema_version: 1,
    valid: false,
    errors: [{ file: "/c/a.toml", line: 3, column: 1, key: "tasks.a.cron", message: "is wrong" }],
    warnings: [{ file: "/c/b.toml", line: 0, column: 0, key: "", message: "is empty" }],
  });
  assert.deepEqual(lines, ["/c/a.toml:3:1: tasks.a.cron: is wrong", "/c/b.toml: warning: is empty"]);
});
