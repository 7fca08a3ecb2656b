import assert from "node:assert/strict";
import { faultCodeIn, problemTypeOf } from "../../src/core/problem_type.ts";
import { faultCodes } from "../../src/fault.ts";
import { statusOf } from "../../src/http/problem_json.ts";
import { ofCommandLine } from "../../src/http/schemas/problem.ts";
import { makeApp } from "../support/make_app.ts";
import { makeEngine } from "../support/make_engine.ts";
import { walkFiles } from "../../tools/walk_files.ts";

const root = new URL("../../", import.meta.url).pathname;
const page = await Deno.readTextFile(`${root}docs/errors.md`);

/** What stands below each heading of a code. */
const sections = new Map(
  page.split(/^### /m).slice(1).map((text) => {
    const [code = "", ...lines] = text.split("\n");
    return [code, lines.join("\n")] as const;
  }),
);

Deno.test("docs/errors.md has a section for each fault code, and none besides", () => {
  assert.deepEqual([...sections.keys()].sort(), [...faultCodes].sort());
});

Deno.test("docs/errors.md gives each code's status, cause and cure", () => {
  for (const code of faultCodes) {
    const text = sections.get(code) ?? "";
    const status = code === "not_understood" ? "none" : String(statusOf[code]);
    assert.equal(/^Status: (\w+)[.,:]/m.exec(text)?.[1], status, code);
    assert.match(text, /^Cause: [^]+\.\n\nCure: [^]+\.$/m, code);
  }
});

Deno.test("docs/errors.md tells which codes no daemon sends, and the API's description names all others", async () => {
  await using test = await makeEngine({ units: [] });
  const { components } = (await makeApp(test)("/openapi.json")).body;
  const alone = page.slice(page.indexOf("## The command line alone"));
  const told: string = components.schemas.ErrorModel.properties.type.description;
  for (const code of faultCodes) {
    assert.equal(alone.includes(`### ${code}\n`), ofCommandLine.has(code), code);
    assert.equal(new RegExp(`\\b${code}\\b`).test(told), !ofCommandLine.has(code), code);
  }
});

Deno.test("Each fault code is the answer to something", async () => {
  const apart = [
    "src/fault.ts",
    "src/http/problem_json.ts",
    "src/http/schemas/problem.ts",
    "src/cli/log_stream.ts",
  ];
  const paths = (await walkFiles(`${root}src`)).filter((path) => !apart.includes(path.slice(root.length)));
  const source = (await Promise.all(paths.map((path) => Deno.readTextFile(path)))).join("\n");
  for (const code of faultCodes) assert.ok(source.includes(`"${code}"`), code);
});

Deno.test("problemTypeOf() gives an absolute URI that names the code, and faultCodeIn() reads it again", () => {
  for (const code of faultCodes) {
    assert.equal(URL.parse(problemTypeOf(code))?.href, `urn:svc:problem:${code}`);
    assert.equal(faultCodeIn(problemTypeOf(code)), code);
  }
  for (
    const other of [
      undefined,
      "about:blank",
      "urn:svc:problem:of_tomorrow",
      "urn:other:problem:not_found",
      "",
    ]
  ) {
    assert.equal(faultCodeIn(other), undefined);
  }
});
