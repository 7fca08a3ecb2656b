import assert from "node:assert/strict";
import { catalog } from "../../src/cli/catalog.ts";
import { capabilitySchema, daemonInfoSchema, instanceInfoSchema } from "../../src/http/schemas/daemon.ts";
import { logHitSchema } from "../../src/http/schemas/log.ts";
import { logLineSchema, runSchema } from "../../src/http/schemas/run.ts";
import {
  composeRefSchema,
  taskParamSchema,
  taskResponseSchema,
  usageSchema,
} from "../../src/http/schemas/unit.ts";
import { golden, goldens } from "../cli/golden.ts";

const page = await Deno.readTextFile(new URL("../../docs/cli.md", import.meta.url));

/** The text of each section by what its title names first; several commands may share one. */
const sections = new Map(
  page.split(/^###? /m).slice(1).flatMap((text) =>
    (/^`(?:svc )?([^` ]+)/.exec(text)?.[1] ?? "").split("|").map((name) => [name, text])
  ),
);

/** The types of the API that the page describes, by name. */
const types = {
  Run: runSchema,
  TaskResponse: taskResponseSchema,
  TaskParam: taskParamSchema,
  TaskComposeRef: composeRefSchema,
  UnitUsage: usageSchema,
  LogLineEntry: logLineSchema,
  LogSearchHit: logHitSchema,
  DaemonInfo: daemonInfoSchema.omit({ tasks: true }),
  CapInfo: capabilitySchema,
  InstanceInfo: instanceInfoSchema,
};

function sectionOf(name: string): string {
  return sections.get(name) ?? assert.fail(`docs/cli.md has no section of ${name}`);
}

/** Fields that stand in the first column of a type's table, "?" behind those that may be missing. */
function fieldsIn(section: string): string[] {
  return [...section.matchAll(/^\| `(\w+)`(\??) +\|/gm)].map(([, field, optional]) => field! + optional!);
}

/** Values by names that the user gives are no fields. */
const open = new Set(["env", "params"]);

/** Names of all fields in an answer, at any depth. */
function fieldsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(fieldsOf);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => [key, ...(open.has(key) ? [] : fieldsOf(one))]);
}

/** Words that a section gives as code, and those of all types that it names, and that these name. */
function wordsOf(section: string, seen = new Set<string>()): Set<string> {
  const code = [...section.matchAll(/```[^]*?```|`[^`]*`/g)].map(([text]) => text).join(" ");
  const words = new Set(code.match(/\w+/g));
  for (const name of [...words].filter((word) => Object.hasOwn(types, word) && !seen.has(word))) {
    seen.add(name);
    for (const word of wordsOf(sectionOf(name), seen)) words.add(word);
  }
  return words;
}

Deno.test("docs/cli.md has a section for each command", () => {
  for (const { name } of catalog) assert.ok(sectionOf(name).length > 0);
});

Deno.test("docs/cli.md names every field that a command has ever answered with in JSON", () => {
  let checked = 0;
  for (const file of goldens().filter((name) => /\.jsonl?$/.test(name) && !name.includes("_top"))) {
    const command = /^[a-z]+/.exec(file)![0];
    const words = wordsOf(sectionOf(command));
    const answers = file.endsWith("l") ? golden(file).trim().split("\n") : [golden(file)];
    for (const field of new Set(answers.flatMap((answer) => fieldsOf(JSON.parse(answer))))) {
      assert.ok(words.has(field), `${file}: the section of ${command} does not name "${field}"`);
      checked++;
    }
  }
  assert.ok(checked > 200, String(checked));
});

Deno.test("docs/cli.md describes the types of the JSON with the fields that the API gives them", () => {
  for (const [name, { shape }] of Object.entries(types)) {
    const fields = Object.entries(shape).filter(([field]) => field !== "$schema").map(([field, schema]) =>
      schema.safeParse(undefined).success ? `${field}?` : field
    );
    assert.deepEqual(fieldsIn(sectionOf(name)), fields, name);
  }
});
