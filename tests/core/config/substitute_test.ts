import assert from "node:assert/strict";
import fc from "fast-check";
import { substitute } from "../../../src/core/config/substitute.ts";
import { Fault } from "../../../src/fault.ts";
import { config, lines, load, service, task } from "./memory.ts";

const lookup = {
  env: { A: "1", EMPTY: "", TRICKY: "${A}", FOLDER: "dir" } as Record<string, string>,
  readText: (path: string): string => {
    if (path !== "dir/key") throw new Fault("not_found", `cannot read "${path}": there is no such file`);
    return "\n  s3 ${A}\n";
  },
};

function text(template: string): string {
  const outcome = substitute(template, lookup);
  return "text" in outcome ? outcome.text : `fault: ${outcome.fault}`;
}

Deno.test("substitute() puts in variables, fallbacks and files", { permissions: "none" }, () => {
  const table: [template: string, text: string][] = [
    ["plain $A $ {A} $(A) $$A", "plain $A $ {A} $(A) $$A"],
    ["${A}", "1"],
    ["a${A}b${A}c", "a1b1c"],
    ["${EMPTY}", ""],
    ["${TRICKY}", "${A}"],
    ["${A:-x}", "1"],
    ["${EMPTY:-x}", "x"],
    ["${NONE:-x}", "x"],
    ["${NONE:-}", ""],
    ["${NONE:-${A}}", "1"],
    ["${NONE:-a${EMPTY:-b}c}d", "abcd"],
    ["${A:-${NONE}}", "1"],
    ["${NONE:-{x}}", "{x}"],
    ["${NONE:-$${x}", "${x"],
    ["$${A}", "${A}"],
    ["$$${A}", "$${A}"],
    ["${file:dir/key}", "s3 ${A}"],
    ["${file:${FOLDER}/key}", "s3 ${A}"],
    ["${NONE:-${file:dir/key}}!", "s3 ${A}!"],
    ["}{", "}{"],
  ];
  for (const [template, expected] of table) assert.equal(text(template), expected, template);
});

Deno.test(
  "substitute() says what is wrong and quotes nothing that was put in",
  { permissions: "none" },
  () => {
    const forms = "write ${NAME}, ${NAME:-fallback} or ${file:path}, or $${ for a plain ${";
    const table: [template: string, fault: string][] = [
      ["${NONE}", "variable NONE is not set: set it, or write ${NONE:-fallback} to do without"],
      ["${NONE:-${OTHER}}", "variable OTHER is not set: set it, or write ${OTHER:-fallback} to do without"],
      ["x${", `the "\${" at character 2 has no closing "}": ${forms}`],
      ["${A", `the "\${" at character 1 has no closing "}": ${forms}`],
      ["${A:-x", 'the "${" at character 1 has no closing "}"'],
      ["${file:dir/key", 'the "${" at character 1 has no closing "}"'],
      ["${}", `the "\${" at character 1 begins no substitution: ${forms}`],
      ["${1A}", `the "\${" at character 1 begins no substitution: ${forms}`],
      ["${A-x}", `the "\${" at character 1 begins no substitution: ${forms}`],
      ["${A:?x}", `the "\${" at character 1 begins no substitution: ${forms}`],
      ["${file:}", "${file:} names no file"],
      ["${file:gone}", 'cannot substitute ${file:}: cannot read "gone": there is no such file'],
      ["${X:-".repeat(18), "substitutions are nested more than 16 deep"],
    ];
    for (const [template, fault] of table) assert.equal(text(template), `fault: ${fault}`, template);
  },
);

Deno.test(
  "substitute() leaves text without a substitution alone and never throws",
  { permissions: "none" },
  () => {
    const pieces = fc.array(
      fc.constantFrom("${", "$${", "}", ":-", "A", "NONE", "file:", "dir/key", "$", "{", " "),
    );
    fc.assert(
      fc.property(pieces, (parts) => {
        const template = parts.join("");
        const outcome = substitute(template, lookup);
        if (!template.includes("${")) assert.deepEqual(outcome, { text: template });
        if ("fault" in outcome) assert.ok(outcome.fault !== "" && !outcome.fault.includes("\n"));
      }),
      { seed: 51, numRuns: 3000 },
    );
  },
);

Deno.test("substitute() gives back any text whose openings are escaped", { permissions: "none" }, () => {
  const any = fc.string({ unit: fc.constantFrom("$", "{", "}", "a", ":", "-") });
  fc.assert(
    fc.property(any, (wanted) => assert.equal(text(wanted.replaceAll("${", () => "$${")), wanted)),
    { seed: 52, numRuns: 3000 },
  );
});

Deno.test("loadConfig() substitutes every text but the scripts", { permissions: "none" }, () => {
  const files = {
    "/c/svc.toml": `
[daemon]
include = ["\${DIR}/*.toml"]
[defaults]
env = { D = "\${A}" }
`,
    "/c/sub/t.toml": `
[tasks.t]
run = "echo \${A} \${NONE}"
group = "\${A}"
timeout = "\${A}m"
failures = ["\${A}"]
env = { X = "\${SVC_URL}", Y = "$\${A}" }
secrets = { K = "\${file:key}" }
hook_tokens = [{ token = "\${TOKEN}", allow = ["run"] }]
[[tasks.t.params]]
arg = "x"
choices = ["\${A}"]
[services.s]
run = "x"
health_check = { run = "test \${NONE}" }
[services.h]
run = "x"
health_check = { http = "http://localhost:\${A}/" }
`,
    "/c/sub/key": "\n hunter2 \n",
  };
  const env = { A: "1", DIR: "sub", SVC_URL: "http://x", TOKEN: "0123456789abcdef0123456789abcdef" };
  const t = task(files, { env });
  assert.equal(t.run, "echo ${A} ${NONE}");
  assert.deepEqual([t.group, t.timeout, t.failures], ["1", 60_000, [{ kind: "exit", from: 1, to: 1 }]]);
  assert.deepEqual(t.env, { D: "1", X: "http://x", Y: "${A}" });
  assert.deepEqual(t.secrets, { K: "hunter2" });
  assert.deepEqual([t.hookTokens[0]?.token, t.params[0]?.choices], [env.TOKEN, ["1"]]);
  assert.deepEqual(service(files, { env }).healthCheck?.probe, { kind: "run", run: "test ${NONE}" });
  assert.deepEqual(service(files, { env, name: "h" }).healthCheck?.probe, {
    kind: "http",
    url: "http://localhost:1/",
  });
  assert.ok(config(files, { env }).sources.some(({ path }) => path === "/c/sub/key"));
});

Deno.test("loadConfig() tells once of a value that can't be substituted", { permissions: "none" }, () => {
  const { errors } = load(`
[defaults]
env_file = "\${NONE}.env"
[tasks.t]
run = "x"
cron = "\${NONE}"
notify = ["\${NONE}"]
secrets = { K = "\${file:gone}" }
[services.s]
run = "x"
depends_on = ["\${NONE}"]
[notifiers.n]
type = "\${NONE}"
[daemon]
timezone = "\${NONE"
`);
  const unset = "variable NONE is not set: set it, or write ${NONE:-fallback} to do without";
  assert.deepEqual(lines(errors), [
    `3:1 defaults.env_file: ${unset}`,
    `6:1 tasks.t.cron: ${unset}`,
    `7:1 tasks.t.notify: ${unset}`,
    '8:13 tasks.t.secrets.K: cannot substitute ${file:}: cannot read "/c/gone": there is no such file',
    `11:1 services.s.depends_on: ${unset}`,
    `13:1 notifiers.n.type: ${unset}`,
    '15:1 daemon.timezone: the "${" at character 1 has no closing "}": write ${NAME}, ${NAME:-fallback} or ' +
    "${file:path}, or $${ for a plain ${",
  ]);
});

Deno.test(
  "loadConfig() takes a leading ~ for the home of the daemon where it reads, of the run where it runs",
  { permissions: "none" },
  () => {
    const t = task({
      "/c/svc.toml": '[tasks.t]\nrun = "x"\nenv_file = "~/x.env"\nworking_dir = "~"\n',
      "/home/me/x.env": "A=1",
    }, { home: "/home/me" });
    assert.deepEqual([t.env, t.envFile, t.workingDir], [{ A: "1" }, "/home/me/x.env", "~"]);
  },
);
