import assert from "node:assert/strict";
import type { TaskParamJson } from "../../src/http/schemas/unit.ts";
import { commandLine, faultsOf, type Field, firstFields, paramsOf } from "../../ui/views/unit/run_fields.ts";
import { RunFields } from "../../ui/views/unit/run_form.tsx";
import { textOf } from "./text.ts";

const params: TaskParamJson[] = [
  { kind: "env", key: "SIZE", type: "number", required: true, description: "How many rows" },
  { kind: "option", key: "--format", choices: ["pdf", "html"], allow_custom: true, default: "pdf" },
  { kind: "flag", key: "--quick" },
  { kind: "arg", key: "target" },
];

/** The fields after some of them were changed by hand. */
function filled(changes: Record<string, Partial<Field>>): Field[] {
  return firstFields(params).map((field) => ({
    ...field,
    ...(changes[field.param.key] === undefined
      ? {}
      : { isTouched: true, isOmitted: false, ...changes[field.param.key] }),
  }));
}

Deno.test("paramsOf() names nothing of a form that nobody has touched", () => {
  assert.deepEqual(paramsOf(firstFields(params)), {});
});

Deno.test("paramsOf() tells a value, an empty value and one that is left out apart", () => {
  assert.deepEqual(
    paramsOf(
      filled({
        SIZE: { value: "12" },
        "--format": { isOmitted: true },
        "--quick": { value: "true" },
        target: { value: "" },
      }),
    ),
    { SIZE: "12", "--format": null, "--quick": "true", target: "" },
  );
  assert.deepEqual(
    paramsOf(filled({ target: { isOmitted: true } })),
    {},
    "what has no default is left out by itself",
  );
});

Deno.test("paramsOf() keeps a parameter that is called __proto__", () => {
  const [field] = firstFields([{ kind: "env", key: "__proto__" }]);
  const given = paramsOf([{ ...field!, value: "x", isTouched: true, isOmitted: false }]);
  assert.deepEqual(Object.entries(given), [["__proto__", "x"]]);
});

Deno.test("paramsOf() takes a flag back that is set by default", () => {
  const fields = firstFields([{ kind: "flag", key: "-x", default: "true" }]);
  assert.deepEqual(paramsOf(fields), {});
  assert.deepEqual(paramsOf([{ ...fields[0]!, value: "false", isTouched: true }]), { "-x": "false" });
});

Deno.test("commandLine() quotes for a shell, and says nothing where the command line can't say it", () => {
  assert.equal(commandLine("report", {}), "svc run report");
  assert.equal(
    commandLine("my report", { SIZE: "12", target: "a b" }),
    "svc run 'my report' --param SIZE=12 --param 'target=a b'",
  );
  assert.equal(commandLine("report", { "--format": null }), undefined);
});

Deno.test("faultsOf() puts what the daemon said to the field that it is about", () => {
  const { byKey, rest } = faultsOf(firstFields(params), [
    { location: "body.params.SIZE", message: "is a number" },
    { location: "body.params.nope", message: "unknown" },
    { location: "body", message: "odd" },
  ]);
  assert.deepEqual([...byKey], [["SIZE", "is a number"]]);
  assert.deepEqual(rest, ["unknown", "odd"]);
});

Deno.test("RunFields shows a proper field for each parameter, its fault, and the command", () => {
  const view = (
    <RunFields
      name="report"
      fields={filled({ SIZE: { value: "x" }, "--format": { value: "epub", isCustom: true } })}
      faults={{ byKey: new Map([["SIZE", 'parameter "SIZE" is a number, not "x"']]), rest: [] }}
      onChange={() => {}}
      onStart={() => {}}
      onClose={() => {}}
    />
  );
  assert.equal(
    textOf(view),
    `SIZE variable, number, required
[x______]
How many rows
parameter "SIZE" is a number, not "x"
--format option [______]leave out --format
pdf html another value … [epub______]
Default: pdf
[______] --quick
target argument [______]leave out target
[left out ______]
svc run report --param SIZE=x --param --format=epub
[ Copy The same on the command line ]
[Cancel] [Run and stay][Run]`,
  );
});
