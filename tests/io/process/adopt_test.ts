import assert from "node:assert/strict";
import { gone, isAlive } from "../../support/machine.ts";
import { Adopted, DaemonLives } from "./daemon_lives.ts";
import { readersOf } from "./pipe_keeper.ts";

/** Writes numbers to both streams, slowly enough to outlive a daemon, then a part of a line. */
const counting = `i=0
while [ $i -lt 3000 ]; do
  i=$((i + 1)); echo $i
  [ $((i % 10)) != 0 ] || { echo $((i / 10)) >&2; sleep 0.004; }
done
printf end; exit 3`;

/** In a script: it waits for the file `go`. */
const wait = "while [ ! -e go ]; do sleep 0.01; done";

/** Holds a text to be the numbers from 1 on, one a line. */
function numbersIn(text: string): number {
  const lines = text.split("\n").slice(0, -1);
  for (const [index, line] of lines.entries()) {
    assert.equal(line, String(index + 1), `line ${index + 1} of ${lines.length}`);
  }
  return lines.length;
}

Deno.test("a run that outlives one daemon after the other loses no line, and none comes twice", async () => {
  await using lives = new DaemonLives();
  for (let life = 0; life < 3; life++) {
    const before = lives.journal().read().stdout.length;
    await lives.live([counting]);
    await lives.seen("it writes on", () => lives.journal().read().stdout.length > before + 200);
    await lives.die();
  }
  const processes = await lives.next();
  const [found] = await processes.findKept([lives.id(0), lives.id(1)]);
  assert.ok(found !== undefined && found.ended === undefined && isAlive(found.pid));
  assert.deepEqual([found.nonce, found.about], ["nonce", "about"]);
  assert.ok(found.ranFor! > 200 && found.ranFor! < 60_000, `it ran for ${found.ranFor} ms`);
  const run = new Adopted(processes, found, lives.journal());
  await run.process.started;
  assert.equal(run.process.pid, found.pid);
  assert.deepEqual(await run.exited, { code: 3 });
  await run.drained;
  const { stdout, stderr } = lives.journal().read();
  assert.equal(numbersIn(stdout), 3000);
  assert.ok(stdout.endsWith("3000\nend"));
  assert.equal(numbersIn(stderr), 300);
  run.process.dismiss();
  assert.deepEqual([lives.names("spools"), lives.said], [[], []]);
  assert.ok(!lives.names("keepers").includes(lives.id()));
});

Deno.test("a run that has ended meanwhile tells its end, when that was, and its whole output", async () => {
  await using lives = new DaemonLives();
  await lives.live([`echo 1; ${wait}; seq 2 5000; kill -TERM $$`]);
  await lives.seen("it began", () => lives.journal().read().stdout === "1\n");
  await lives.die();
  const before = Date.now();
  Deno.writeTextFileSync(`${lives.folder}/go`, "");
  const text = (): string => lives.keeperText();
  await lives.seen("it has ended", () => text().includes("#end 143\n"));
  const after = Date.now();
  const processes = await lives.next();
  const [found] = await processes.findKept([lives.id()]);
  assert.deepEqual(found?.ended?.exit, { code: 143, signal: "SIGTERM" });
  assert.ok(found.ended.at >= before - 20 && found.ended.at <= after, `${found.ended.at}`);
  const run = new Adopted(processes, found, lives.journal());
  assert.deepEqual(await run.exited, { code: 143, signal: "SIGTERM" });
  await run.drained;
  assert.equal(numbersIn(lives.journal().read().stdout), 5000);
  assert.deepEqual(run.process.troubles(), []);
  run.process.dismiss();
  assert.deepEqual(lives.names("spools"), []);
});

Deno.test("a short run that was never moved to files gives what stood in its pipe", async () => {
  await using lives = new DaemonLives();
  await lives.live([`${wait}; seq 1 1000; sleep 60`], { isLong: false });
  await lives.die();
  Deno.writeTextFileSync(`${lives.folder}/go`, "");
  const processes = await lives.next();
  const [found] = await processes.findKept([lives.id()]);
  const run = new Adopted(processes, found!, lives.journal());
  await lives.seen("all came", () => lives.journal().read().stdout.endsWith("1000\n"));
  assert.equal(numbersIn(lives.journal().read().stdout), 1000);
  run.process.signal("SIGTERM");
  assert.deepEqual(await run.exited, { code: 143, signal: "SIGTERM" });
  await run.drained;
});

Deno.test("what nobody takes over is ended, and what was written of it is removed", async () => {
  await using lives = new DaemonLives();
  await lives.live(["echo 1; sleep 60", "echo 1; sleep 60"]);
  await lives.seen("both began", () => [0, 1].every((n) => lives.journal(n).read().stdout === "1\n"));
  await lives.die();
  const processes = await lives.next();
  const found = await processes.findKept([lives.id(0), lives.id(1)]);
  const [taken, other] = found;
  assert.ok(taken !== undefined && other !== undefined);
  const run = new Adopted(processes, taken, lives.journal(Number(taken.runId.at(-1))));
  const { killed } = await processes.dropKept();
  assert.deepEqual(killed.map(({ pid }) => pid), [other.pid]);
  await gone(other.pid);
  assert.ok(isAlive(taken.pid));
  assert.deepEqual(lives.names("keepers").filter((name) => name.startsWith("T")), [taken.runId]);
  assert.ok(
    lives.names("spools").every((name) => name.startsWith(`${taken.runId}.`)),
    lives.names("spools").join(),
  );
  run.process.signal("SIGKILL");
  assert.equal((await run.exited).signal, "SIGKILL");
  await run.drained;
});

Deno.test("files that are no keeper's, not whole or open to others are passed over, with a word", async () => {
  await using lives = new DaemonLives();
  await lives.live(["sleep 60"]);
  const isKnown = (): boolean => lives.keeperText().startsWith("#pid");
  await lives.seen("its keeper has written it down", isKnown);
  await lives.die();
  const path = (runId: string): string => `${lives.folder}/keepers/${runId}`;
  const text = Deno.readTextFileSync(path(lives.id()));
  Deno.writeTextFileSync(path("TORN"), text.slice(0, -20), { mode: 0o600 });
  Deno.writeTextFileSync(path("OTHER"), text, { mode: 0o600 });
  Deno.symlinkSync(path(lives.id()), path("LINK"));
  Deno.mkdirSync(path("FOLDER"));
  const processes = await lives.next();
  assert.deepEqual(await processes.findKept(["TORN", "OTHER", "LINK", "FOLDER", "MISSING"]), []);
  assert.equal(lives.said.length, 4, lives.said.join("\n"));
  // A file that somebody has copied is held by no keeper.
  Deno.removeSync(path(lives.id()));
  Deno.writeTextFileSync(path(lives.id()), text, { mode: 0o600 });
  const [pid] = /(?<=#pid \d+ )\d+/.exec(text)!;
  assert.deepEqual(await processes.findKept([lives.id()]), []);
  Deno.kill(Number(pid), "SIGKILL");
  Deno.kill(Number(/(?<=#pid )\d+/.exec(text)![0]), "SIGKILL");
});

Deno.test("a run whose keeper was killed after its end gives what stands in files, and says what is lost", async () => {
  await using lives = new DaemonLives();
  await lives.live([`echo 1; ${wait}; echo 2`]);
  await lives.seen("it began", () => readersOf(`${lives.folder}/spools`).size === 1);
  await lives.die();
  Deno.writeTextFileSync(`${lives.folder}/go`, "");
  const text = (): string => lives.keeperText();
  await lives.seen("it has ended", () => text().includes("#end 0\n"));
  const keeper = Number(/(?<=#pid )\d+/.exec(text())![0]);
  Deno.kill(keeper, "SIGKILL");
  await gone(keeper);
  const processes = await lives.next();
  const [found] = await processes.findKept([lives.id()]);
  const run = new Adopted(processes, found!, lives.journal());
  assert.deepEqual(await run.exited, { code: 0 });
  await run.drained;
  assert.equal(lives.journal().read().stdout, "1\n2\n");
  assert.match(run.process.troubles().join(), /what was still in its pipes is lost/);
  run.process.dismiss();
  assert.deepEqual([lives.names("spools"), lives.said], [[], []]);
});

Deno.test("what a run leaves behind writes on into nothing when it was let go and its keeper is gone", async () => {
  await using lives = new DaemonLives();
  const stray = `trap '' TERM; echo stray; ${wait}; seq 1 100000 && echo whole > wrote`;
  await lives.live([`(${stray}) & echo 1; sleep 0.05; exit 0`]);
  await lives.seen("both began", () => lives.journal().read().stdout.length === "1\nstray\n".length);
  await lives.die();
  const processes = await lives.next();
  const [found] = await processes.findKept([lives.id()]);
  const run = new Adopted(processes, found!, lives.journal());
  assert.deepEqual(await run.exited, { code: 0 });
  run.process.release();
  run.process.dismiss();
  await lives.seen("the keeper has gone", () => !lives.names("keepers").includes(lives.id()));
  Deno.writeTextFileSync(`${lives.folder}/go`, "");
  await lives.seen("it wrote all", () => exists(`${lives.folder}/wrote`));
  await run.drained;
  assert.deepEqual(lives.names("spools"), []);
  assert.equal(lives.journal().read().stdout.length, "1\nstray\n".length, "nobody listened");
});

Deno.test("a run that was taken over and whose reader is killed goes on", async () => {
  await using lives = new DaemonLives();
  await lives.live([`echo 1; ${wait}; seq 2 1000`]);
  await lives.seen("its reader lives", () => readersOf(`${lives.folder}/spools`).size === 1);
  await lives.die();
  const processes = await lives.next();
  const [found] = await processes.findKept([lives.id()]);
  const run = new Adopted(processes, found!, lives.journal());
  const [pid] = readersOf(`${lives.folder}/spools`).values();
  Deno.kill(pid!, "SIGKILL");
  await gone(pid!);
  Deno.writeTextFileSync(`${lives.folder}/go`, "");
  assert.deepEqual(await run.exited, { code: 0 });
  await run.drained;
  assert.equal(numbersIn(lives.journal().read().stdout), 1000);
});

Deno.test("descriptors go with the runs that were taken over", async () => {
  // Other tests have the same process: those count that lead into the folders of this one.
  const open = (folder: string): string[] =>
    [...Deno.readDirSync("/proc/self/fd")].flatMap(({ name }) => {
      const target = targetOf(name);
      return target.startsWith(`${folder}/`) ? [target] : [];
    });
  let folder = "";
  {
    await using lives = new DaemonLives();
    folder = lives.folder;
    const script = "echo 1; echo 2 >&2; exec sleep 60";
    await lives.live([script, script, script]);
    await lives.seen("all began", () => [0, 1, 2].every((n) => lives.journal(n).size("stderr") === 2));
    await lives.die();
    const processes = await lives.next();
    for (const found of await processes.findKept([0, 1, 2].map((n) => lives.id(n)))) {
      const run = new Adopted(processes, found, lives.journal(Number(found.runId.at(-1))));
      run.process.signal("SIGTERM");
      await run.exited;
      await run.drained;
      run.process.dismiss();
    }
    assert.deepEqual([lives.names("spools"), lives.names("keepers")], [[], ["bell", "daemon"]]);
    // All that is left open is the bell.
    assert.ok(open(folder).every((path) => path === `${folder}/keepers/bell`), open(folder).join());
  }
  assert.deepEqual(open(folder), []);
});

function targetOf(descriptor: string): string {
  try {
    return Deno.readLinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return ""; // it was closed meanwhile
  }
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
