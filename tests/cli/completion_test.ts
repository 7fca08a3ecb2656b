import assert from "node:assert/strict";
import { brokenOff, wordsOf } from "../../src/cli/completion/words.ts";
import { makeEngine } from "../support/make_engine.ts";
import { service, task } from "../support/units.ts";
import { call, fetchFrom } from "./memory.ts";

const units = [
  task({ name: "backup-db", cron: "0 2 * * *" }),
  task({
    name: "greet",
    params: [
      { kind: "option", key: "--name=", type: "string", required: false, allowCustom: false },
      {
        kind: "flag",
        key: "--loud",
        type: "string",
        required: false,
        allowCustom: false,
        description: "Shout",
      },
    ],
  }),
  service({ name: "web" }),
];

Deno.test("wordsOf() takes a line apart as a shell does, up to the cursor", () => {
  const lines: [line: string, words: string[]][] = [
    ["svc", ["svc"]],
    ["svc ", ["svc", ""]],
    ["svc  run\tb", ["svc", "run", "b"]],
    ['svc \'a b\' "c\\"d" e\\ f ', ["svc", "a b", 'c"d', "e f", ""]],
    ["svc 'a b", ["svc", "a b"]],
    ["svc ''", ["svc", ""]],
    ["svc a\\", ["svc", "a"]],
  ];
  for (const [line, words] of lines) assert.deepEqual(wordsOf(line), words, line);
});

Deno.test("brokenOff() is what bash takes for an earlier word", () => {
  assert.equal(brokenOff("--sort=st", "=:"), 7);
  assert.equal(brokenOff("a:b=c", "=:"), 4);
  assert.equal(brokenOff("a:b=c", ":"), 2);
  assert.equal(brokenOff("a:b=c", ""), 0);
  assert.equal(brokenOff("plain", "=:"), 0);
});

Deno.test("svc __complete offers commands, options, choices, units, runs and parameters", async () => {
  await using test = await makeEngine({ units });
  test.engine.pause("backup-db");
  const fetch = fetchFrom(test);
  const offered = async (...words: string[]): Promise<string> => {
    const { code, stdout, stderr } = await call(["__complete", "zsh", ...words], { fetch });
    assert.deepEqual([code, stderr], [0, ""]);
    const [kind, ...lines] = stdout.trimEnd().split("\n");
    return `${kind}: ${lines.map((line) => line.replace(/(?<!\\):.*$/, "")).join(" ")}`;
  };
  assert.match(await offered(""), /^words: tui list status .* version help$/);
  assert.equal(await offered("re"), "words: restart resume reload restore");
  assert.equal(await offered("help", "li"), "words: list");
  assert.equal(await offered("-p", "1", "--json", "li"), "words: list");
  assert.equal(await offered("--so"), "words: --socket");
  assert.equal(await offered("runs", "--s"), "words: --status --since --search --sort --socket");
  assert.equal(await offered("runs", "--sort", "sta"), "words: status start_at");
  assert.equal(await offered("runs", "--sort=sta"), "words: --sort=status --sort=start_at");
  assert.equal(await offered("runs", "--failed", "--fa"), "words: ", "each option stands once");
  assert.equal(await offered("daemon", "--log-level", ""), "words: trace debug info warn error");
  assert.equal(await offered("completions", ""), "words: bash zsh fish");
  assert.equal(await offered("list", "--config", ""), "files: ");
  assert.equal(await offered("--data=x"), "folders: ");
  assert.equal(await offered("backup", ""), "files: ");
  assert.equal(await offered("next", "--timezone", "Europe/Berl"), "words: Europe/Berlin");
  assert.equal(await offered("list", ""), "words: backup-db greet web");
  assert.equal(await offered("stop", "web", ""), "words: backup-db greet");
  for (const words of ["status", "start", "restart", "runs --task", "search x --task"]) {
    assert.equal(await offered(...words.split(" "), ""), "words: backup-db greet web", words);
  }
  assert.equal(await offered("next", ""), "words: backup-db");
  assert.equal(await offered("list", "--js"), "words: --json");
  assert.equal(await offered("tui", "--js"), "words: ", "it refuses that");
  assert.equal(await offered("run", ""), "words: backup-db greet");
  assert.equal(await offered("run", "greet", ""), "words: ", "there is only one task");
  assert.equal(await offered("run", "greet", "--param", ""), "open: name= loud=true loud=false");
  assert.equal(await offered("run", "--param=na", ""), "words: backup-db greet");
  assert.equal(await offered("pause", ""), "words: backup-db");
  assert.equal(await offered("resume", ""), "words: backup-db");
  assert.equal(await offered("logs", "R"), "words: R000001");
  assert.equal(await offered("logs", "--", "w"), "words: web");
  assert.equal(await offered("search", "x", "--run", ""), "words: R000001");
  assert.equal(await offered("frobnicate", ""), "words: ");
});

Deno.test("svc __complete is silent where there is no daemon, or one that does not answer", async () => {
  const refuse: typeof fetch = () => Promise.reject(new TypeError("refused"));
  assert.deepEqual(await call(["__complete", "bash", "svc run ", "=:"], { fetch: refuse }), {
    code: 0,
    stdout: "",
    stderr: "",
  });
  const silent: typeof fetch = () => new Promise(() => {});
  const { code, stderr } = await call(["__complete", "zsh", "run", ""], { fetch: silent });
  assert.deepEqual([code, stderr], [0, ""]);
  assert.equal((await call(["__complete"])).code, 2);
});

Deno.test("svc completions prints a script for each shell, and refuses others", async () => {
  assert.match((await call(["completions", "bash"])).stdout, /complete -F _svc_complete svc\n$/);
  assert.match((await call(["completions", "zsh"])).stdout, /^#compdef svc\n/);
  assert.match((await call(["completions", "fish"])).stdout, /complete -c svc -f /);
  const { code, stderr } = await call(["completions", "tcsh"]);
  assert.equal(code, 2);
  assert.match(stderr, /"tcsh" is invalid/);
});
