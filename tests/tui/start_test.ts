import assert from "node:assert/strict";
import { validate } from "../../src/local/validate.ts";
import { fitShell, prepareStarter, starterText } from "../../src/local/starter.ts";
import { historyQuery } from "../../src/tui/history_query.ts";
import { keyNames } from "../../src/tui/key_names.ts";
import { call, memoryTerminal } from "../cli/memory.ts";

Deno.test("svc alone opens the terminal UI where somebody sits at both ends, and is help elsewhere", async () => {
  let opened = 0;
  const locals = { openTui: () => Promise.resolve(++opened && 0) };
  const terminal = { ...memoryTerminal({ isTerminal: true }), isInteractive: true };
  assert.equal((await call([], { terminal, locals })).code, 0);
  assert.equal(opened, 1);
  assert.match((await call([], { locals })).stdout, /svc <command>/);
  assert.equal(opened, 1);
});

Deno.test("svc up refuses an address, since it is for this machine", async () => {
  const { code, stderr } = await call(["up", "--url", "http://elsewhere:1"]);
  assert.equal(code, 2);
  assert.match(stderr, /leave --url out/);
});

Deno.test("prepareStarter() writes a file that is valid, once", async () => {
  const folder = await Deno.makeTempDir({ prefix: "svc-test-" });
  const config = `${folder}/conf/svc.toml`;
  assert.deepEqual(await prepareStarter({ config }, {}), { path: config, isNew: true });
  const { valid, warnings } = await validate(config);
  assert.deepEqual([valid, warnings], [true, []]);
  assert.deepEqual(await prepareStarter({ config }, {}), { path: config, isNew: false });
  await Deno.remove(folder, { recursive: true });
});

Deno.test("fitShell() leaves out what a machine without bash could not start", () => {
  assert.equal(fitShell(starterText, true), starterText);
  const plain = fitShell(starterText, false);
  assert.doesNotMatch(plain, /bash|pipefail|defaults/);
  assert.match(plain, /^\[tasks\.hello\]$/m);
  assert.match(
    fitShell('[defaults]\nshell = "/bin/bash"\npipefail = true\nkeep_runs = 1\n', false),
    /^\[defaults\]\nkeep_runs/,
  );
});

Deno.test("historyQuery() takes words for states, and all else as a text", () => {
  assert.deepEqual(historyQuery(""), {});
  assert.deepEqual(historyQuery("failed  back up ok"), { status: "failed,success", search: "back up" });
  assert.deepEqual(historyQuery("constructor"), { search: "constructor" });
});

Deno.test("keyNames() names keys, also those that arrive together", () => {
  assert.deepEqual(keyNames("", { upArrow: true }), ["up"]);
  assert.deepEqual(keyNames("c", { ctrl: true }), ["ctrl-c"]);
  assert.deepEqual(keyNames("a b\t\x7f\r\x18\x00", {}), [
    "a",
    "space",
    "b",
    "tab",
    "backspace",
    "enter",
    "ctrl-x",
  ]);
});
