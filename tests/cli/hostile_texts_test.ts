import assert from "node:assert/strict";
import { bad } from "../../src/core/doctor/finding.ts";
import { Fault } from "../../src/fault.ts";
import { catalog } from "../../src/cli/catalog.ts";
import type { Locals, ServicePlan, ServiceState } from "../../src/cli/locals.ts";
import { outputTo, type Terminal } from "../../src/cli/terminal.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { minute, service, task } from "../support/units.ts";
import { call, fetchFrom, memoryTerminal, until } from "./memory.ts";

/** What a text may hold to command a terminal: titles, clipboard, links, screens, 8-bit spellings, colours, directions, lines of its own. */
const evil =
  "A\x1b]0;title\x07\x1b]52;c;aGk=\x1b\\\x1b]8;;http://evil.example\x1b\\B\x1b[2J\x1b[31;8mC\x1b[8mD" +
  "\x9b2J\x9d0;t\x9cE\x1bPq#0\x1b\\F\x1b(0G\x1bcH\x07\x08\x7fI\u202egnp\u2066J\r\nAll well.\u2028K\t\x1b[32mL";

/** What may never come out, whatever colours there are. */
// deno-lint-ignore no-control-regex -- control characters are what this file is about
const commanding = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

const units = [
  task({
    name: "evil",
    cron: "0 2 * * *",
    description: evil,
    group: evil,
    workingDir: `/srv/${evil}`,
    run: `echo '${evil}'`,
    env: { A: evil },
    params: [
      {
        kind: "env",
        key: "P",
        type: "string",
        required: false,
        allowCustom: true,
        default: evil,
        choices: [evil],
        description: evil,
      },
    ],
  }),
  service({ name: "daemon", description: evil, group: evil, workingDir: evil, run: evil }),
];

const problem = { file: `/srv/${evil}`, line: 1, column: 2, key: evil, message: evil };
const plan: ServicePlan = {
  file: { path: evil, text: evil },
  env: { path: evil },
  dataDir: evil,
  address: { host: "127.0.0.1", port: 8420 },
  command: [evil],
  commands: [[evil, evil]],
  changes: [evil],
  isCurrent: false,
};
const state: ServiceState = {
  manager: "systemd",
  file: evil,
  installed: true,
  enabled: true,
  active: true,
  detail: evil,
};

const locals: Partial<Locals> = {
  findDaemon: () => Promise.resolve({ dataDir: evil, socketPath: evil, doubt: evil }),
  findConfig: () => Promise.resolve(evil),
  validate: () =>
    Promise.resolve({ schema_version: 1, valid: false, errors: [problem], warnings: [problem] }),
  renderValidation: ({ errors }) =>
    Promise.resolve(errors.map(({ file, key, message }) => `${file}: ${key}: ${message}`)),
  readConfig: () => Promise.resolve({ errors: [problem] }),
  configSchema: () => Promise.resolve({ description: evil }),
  restore: () => Promise.resolve({ database: evil, kept: evil, runs: 1, schema: 1 }),
  importUnits: () =>
    Promise.resolve({
      imported: {
        units: [{ kind: "task", name: "a", settings: {} }],
        entries: [
          { file: evil, line: 1, what: evil, unit: evil, fate: { is: "taken" } },
          { file: evil, line: 2, what: evil, fate: { is: "refused", why: evil } },
        ],
      },
      toml: "",
      written: { path: evil, root: evil, missingInclude: evil },
    }),
  examine: () => Promise.resolve([bad(evil, evil, evil)]),
  planService: () => Promise.resolve(plan),
  installService: () => Promise.resolve(true),
  uninstallService: () => Promise.resolve(true),
  serviceState: () => Promise.resolve(state),
  prepareStarter: () => Promise.reject(new Fault("invalid", evil, [{ location: evil, message: evil }])),
  prepareDemo: () => Promise.reject(new Error(evil)),
};

/** A line for each command of the catalog, at least: all that they print is looked at. */
const lines: Record<string, string[][]> = {
  tui: [],
  list: [["list"], ["list", evil]],
  status: [["status"], ["status", "evil", "daemon"], ["status", evil]],
  runs: [["runs"], ["runs", "--status", evil]],
  logs: [["logs", "evil"], ["logs", evil]],
  search: [["search", "gnp"], ["search", evil], ["search", "(", "--regex"]],
  next: [["next"], ["next", "evil"], ["next", "--cron", evil]],
  run: [["run", "evil", "--detach", "--param", `P=${evil}`], ["run", evil], ["run", "evil", "--param", evil]],
  start: [["start", "daemon"], ["start", evil]],
  stop: [["stop", "daemon"], ["stop", evil]],
  restart: [["restart", "daemon"]],
  pause: [["pause", "evil"], ["pause", evil]],
  resume: [["resume", "evil"]],
  reload: [["reload"], ["reload", "--dry-run"]],
  validate: [["validate"], ["validate", evil]],
  import: [["import", "cron", "x"], ["import", "cron", "x", "--write"], ["import", evil]],
  export: [["export", "systemd"], ["export", evil]],
  notify: [["notify", "test", evil]],
  openapi: [["openapi"]],
  schema: [["schema"]],
  up: [["up"]],
  daemon: [["daemon", evil]],
  service: [["service", "install", "--dry-run"], ["service", "install", "--print"], ["service", "install"], [
    "service",
    "status",
  ]],
  demo: [["demo", evil]],
  drain: [["drain", evil]],
  handover: [["handover", evil]],
  upgrade: [["upgrade", evil], ["upgrade", `/nowhere/${evil}`, "--check"]],
  backup: [["backup", `/nowhere/${evil}`]],
  restore: [["restore", evil]],
  debug: [["debug"]],
  doctor: [["doctor"]],
  password: [["password"]],
  login: [["login", "--url", evil]],
  completions: [["completions", "bash"], ["completions", evil]],
  version: [["version"]],
};

/** An output of a terminal as the program makes it, and all that it was sent. */
function terminalOf(
  env: Record<string, string>,
): { terminal: ReturnType<typeof memoryTerminal>; said: () => string } {
  const sent: string[] = [];
  const stream = {
    isTerminal: () => true,
    writeSync(bytes: Uint8Array): number {
      sent.push(new TextDecoder().decode(bytes));
      return bytes.length;
    },
  };
  const output: Terminal["out"] = outputTo(stream, env);
  return {
    terminal: { ...memoryTerminal({ env, width: 80 }), out: output, err: output, width: 80 },
    said: () => sent.join(""),
  };
}

async function engineOfEvil(): Promise<TestEngine> {
  const test = await makeEngine({ units });
  test.engine.run("evil", { trigger: "api", params: { P: evil } });
  await until(() => test.processes.alive("evil").length > 0);
  test.processes.only("evil").print(`${evil}\n`);
  test.processes.only("evil").exit(3);
  await test.clock.advance(minute);
  return test;
}

Deno.test("Every command has a line here", () => {
  assert.deepEqual(Object.keys(lines).sort(), catalog.map(({ name }) => name).sort());
});

for (
  const [what, env] of Object.entries({
    "without colours": { TERM: "dumb", LANG: "C.UTF-8" },
    "in colours": { LANG: "C.UTF-8" },
  })
) {
  Deno.test(`No command lets texts of others command a terminal ${what}`, async () => {
    await using test = await engineOfEvil();
    const isDumb = "TERM" in env;
    for (const words of Object.values(lines).flat()) {
      const { terminal, said } = terminalOf(env);
      await call(words, { fetch: fetchFrom(test), now: () => test.clock.now(), locals, terminal });
      const text = said();
      assert.notEqual(text, "", words.join(" "));
      // What a unit has printed keeps its colours; the command line has its own.
      // deno-lint-ignore no-control-regex -- the colours are taken out, to see what else there is
      const rest = isDumb ? text : text.replace(/\x1b\[[\d;:]*m/g, "");
      assert.doesNotMatch(
        rest.replaceAll("\t", ""),
        commanding,
        `${JSON.stringify(words)}: ${JSON.stringify(rest)}`,
      );
      if (!["logs", "search", "service", "openapi", "schema"].includes(words[0]!)) {
        assert.doesNotMatch(text, /^All well\./m, `${words[0]} lets a text begin a line`);
        // deno-lint-ignore no-control-regex -- nothing is hidden by a text of others
        assert.doesNotMatch(text, /\x1b\[[\d;]*8m/, words[0]);
      }
    }
  });
}
