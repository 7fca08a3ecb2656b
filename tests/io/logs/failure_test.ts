import assert from "node:assert/strict";
import { RUN, TestLogs, UNCAPPED, UNIT, utf8 } from "./fixture.ts";

const CHILD = new URL("./writing_child.ts", import.meta.url).pathname;

Deno.test("LogWriter goes on in a new folder when its own was deleted, and says so", async () => {
  await using logs = new TestLogs();
  const writer = logs.open();
  writer.write("stdout", utf8("one\ntwo\n"), 1);
  writer.flush();
  Deno.removeSync(`${logs.root}/logs`, { recursive: true });
  writer.write("stdout", utf8("three\n"), 2);
  writer.write("stderr", utf8("four\n"), 3);
  logs.timer.advance(300);
  writer.write("stdout", utf8("five\n"), 304);
  writer.close();
  assert.equal(writer.failed, undefined);
  assert.deepEqual(logs.all().map(({ n, text }) => [n, text]), [
    [2, "three"],
    [3, "four"],
    [4, "the log files of this run were removed or changed while it wrote: they begin anew with line 2"],
    [5, "five"],
  ]);
  assert.equal(writer.droppedLines, 2);
  const page = logs.store.page(UNIT, RUN, { from: 0, limit: 1, finalized: true });
  assert.deepEqual([page.firstAvailable, page.truncated, page.totalLines], [2, true, 6]);
});

Deno.test("LogWriter goes on in a new segment when somebody emptied its file", async () => {
  await using logs = new TestLogs();
  const writer = logs.open();
  writer.write("stdout", utf8("one\n"), 1);
  writer.flush();
  Deno.truncateSync(logs.path("log"));
  writer.write("stdout", utf8("two\n"), 2);
  writer.close();
  assert.deepEqual(logs.texts().slice(0, 1), ["two"]);
  assert.equal(logs.all()[0]?.n, 1);
});

Deno.test("LogWriter drops output while the disk refuses, and says what is missing when it doesn't", async () => {
  await using logs = new TestLogs();
  const writer = logs.open();
  writer.write("stdout", utf8("one\n"), 1000);
  writer.flush();
  Deno.removeSync(logs.folder, { recursive: true });
  Deno.writeTextFileSync(logs.folder, "in the way");
  writer.write("stdout", utf8("two\nthree\n"), 2000);
  writer.flush();
  assert.match(writer.failed ?? "", /exists|directory/i);
  writer.write("stdout", utf8("four\n"), 2500);
  writer.system("five", 2600);
  writer.write("stdout", utf8("six\n"), 3100);
  logs.timer.advance(250);
  assert.equal(writer.droppedLines, 4);
  Deno.removeSync(logs.folder);
  writer.write("stdout", utf8("seven\n"), 3200);
  logs.timer.advance(250);
  assert.equal(writer.droppedLines, 5);
  writer.write("stdout", utf8("eight\n"), 4200);
  writer.close();
  assert.equal(writer.failed, undefined);
  const lines = logs.all();
  assert.deepEqual(lines.map(({ n, stream }) => [n, stream]), [[3, "system"], [4, "stdout"]]);
  assert.match(lines[0]?.text ?? "", /^output could not be stored, 5 lines are missing here: .*/);
  assert.equal(lines[1]?.text, "eight");
  assert.equal(writer.lines, 5);
});

Deno.test("LogStore.writer() takes output even where no folder can be made", async () => {
  await using logs = new TestLogs();
  Deno.writeTextFileSync(`${logs.root}/logs`, "in the way");
  const writer = logs.open();
  writer.write("stdout", utf8("lost\n"), 5000);
  writer.flush();
  assert.ok(writer.failed !== undefined);
  writer.write("stdout", utf8("part"), 5001);
  writer.system("note", 5002);
  Deno.removeSync(`${logs.root}/logs`);
  writer.close();
  assert.equal(writer.failed, undefined);
  assert.match(logs.texts().join("\n"), /^output could not be stored, 2 lines are missing here: [^\n]*$/);
});

Deno.test("LogWriter loses whole lines only when the disk takes a part of a batch", async () => {
  await using logs = new TestLogs();
  // A limit on the size of a file makes the last write short and the next one fail, like a full disk.
  const script = `trap '' XFSZ; ulimit -f 100; exec "$0" "$@"`;
  const output = await new Deno.Command("/bin/sh", {
    args: ["-c", script, Deno.execPath(), "run", "-A", "--no-prompt", CHILD, `${logs.root}/logs`, "1000"],
    stdout: "piped",
    stderr: "piped",
  }).output();
  const told = JSON.parse(new TextDecoder().decode(output.stdout).replace("ready\n", "")) as {
    lines: number;
    dropped: number;
    failed: string;
  };
  assert.ok(told.dropped > 0, "lines were dropped");
  const lines = logs.all(logs.reopened());
  for (const line of lines) {
    if (line.stream !== "system") assert.match(line.text, /^line \d+ x*$/);
  }
  const stored = lines.filter((line) => line.stream !== "system");
  assert.equal(stored.length + told.dropped, 1000);
  for (const line of stored) {
    const i = Number(line.text.split(" ")[1]);
    assert.equal(line.text, `line ${i} ${"x".repeat(i % 300)}`);
    assert.equal(line.stream, i % 2 === 0 ? "stdout" : "stderr");
  }
  assert.ok(lines.some((line) => line.stream === "system" && line.text.includes("could not be stored")));
});

Deno.test("LogStore reads what a killed writer left, line by line", async () => {
  for (let round = 0; round < 3; round++) {
    await using logs = new TestLogs();
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-prompt", CHILD, `${logs.root}/logs`, "0"],
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const reader = child.stdout.getReader();
    await reader.read();
    child.kill("SIGKILL");
    await reader.cancel();
    await child.status;
    const lines = logs.all(logs.reopened());
    assert.ok(lines.length >= 480, `${lines.length} lines`);
    lines.slice(0, -1).forEach(({ n, text }, i) => {
      assert.equal(n, i);
      assert.equal(text, `line ${i} ${"x".repeat(i % 300)}`);
    });
    const writer = logs.store.writer(UNIT, RUN, UNCAPPED);
    assert.equal(writer.lines, lines.length);
    writer.system("the daemon died while this run was active", 9);
    writer.close();
    assert.equal(logs.all()[lines.length]?.stream, "system");
  }
});
