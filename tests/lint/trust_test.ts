import assert from "node:assert/strict";
import plugin from "./trust.ts";

function found(path: string, source: string): string[] {
  return Deno.lint.runPlugin(plugin, `/p/${path}`, source).map(({ message }) => message.split(":")[0]!);
}

Deno.test("the lint plugin finds files that write without a look at where", () => {
  const went = "Deno.writeTextFileSync goes round src/io/trust.ts";
  assert.deepEqual(found("src/engine/x.ts", 'Deno.writeTextFileSync("/x", "");'), [went]);
  assert.deepEqual(found("src/daemon/x.ts", "Deno.mkdirSync(path); Deno.renameSync(a, b);").length, 2);
  assert.deepEqual(found("src/io/trust.ts", 'Deno.writeTextFileSync("/x", "");'), []);
  assert.deepEqual(found("src/io/logs/x.ts", "Deno.openSync(path);"), []);
  assert.deepEqual(found("src/engine/x.ts", "Deno.lstatSync(path);"), []);
  assert.deepEqual(found("tests/io/x.ts", "Deno.mkdirSync(path);"), []);
});

Deno.test("the lint plugin finds files that read what others may have made a pipe or as large as they like", () => {
  const waits = "Deno.readFileSync waits at a pipe, and reads whatever size somebody has made a file";
  assert.deepEqual(found("src/io/config_watcher.ts", "Deno.readFileSync(path);"), [waits]);
  assert.equal(found("src/engine/x.ts", "await Deno.readTextFile(path);").length, 1);
  assert.deepEqual(found("src/io/folder_lock.ts", "Deno.readTextFileSync(path);"), []);
  assert.deepEqual(found("tests/io/x.ts", "Deno.readFileSync(path);"), []);
});

Deno.test("the lint plugin finds programs that are looked up in somebody's PATH", () => {
  const message = "a program is started by its path";
  assert.deepEqual(found("src/io/x.ts", 'new Deno.Command("docker", { clearEnv: true });'), [message]);
  const byPath =
    'new Deno.Command("/bin/sh", { clearEnv: true, env }); new Deno.Command(path, { clearEnv: true });';
  assert.deepEqual(found("src/io/x.ts", byPath), []);
});

Deno.test("the lint plugin finds programs that inherit PATH, and what else the caller has set", () => {
  const message = "a program is started with variables that were chosen for it (clearEnv)";
  const source = 'new Deno.Command("/bin/sh", { args, env: { A: "1" } }); new Deno.Command(path);';
  assert.deepEqual(found("src/local/x.ts", source), [message, message]);
  assert.deepEqual(found("src/tui/x.ts", source), []);
});
