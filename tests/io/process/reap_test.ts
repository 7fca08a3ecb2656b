import assert from "node:assert/strict";
import { reapKept } from "../../../src/io/process/reap.ts";
import { reap } from "../../../src/local/reap.ts";
import { lockFolder } from "../../../src/io/folder_lock.ts";
import { parseRecord } from "../../../src/core/keeper.ts";
import { gone, isAlive } from "../../support/machine.ts";
import { DaemonLives } from "./daemon_lives.ts";

const script = (word: string): string => `
trap '' TERM HUP
setsid /bin/sh -c 'trap "" TERM; echo $$ > "$0"; exec sleep 60' "$FOLDER/${word}" &
echo ${word}; sleep 60; sleep 60`;

/** Two runs whose daemon is dead, with a child each that has left its session; and all that is of them. */
async function leftRuns(lives: DaemonLives): Promise<number[]> {
  const place = (word: string): string => script(word).replaceAll("$FOLDER", lives.folder);
  await lives.live([place("one"), place("two")]);
  const pidIn = (word: string): number => Number(textOf(`${lives.folder}/${word}`));
  await lives.seen("both began", () => pidIn("one") > 0 && pidIn("two") > 0);
  await lives.die();
  const records = [0, 1].map((n) => parseRecord(lives.keeperText(n)));
  return [pidIn("one"), pidIn("two"), ...records.flatMap(({ pid, keeper }) => [pid!, keeper!])];
}

function textOf(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}

Deno.test("reapKept() ends what a stopped daemon has left: runs, what has left their sessions, keepers", async () => {
  await using lives = new DaemonLives();
  const pids = await leftRuns(lives);
  assert.deepEqual(pids.map(isAlive), pids.map(() => true));
  const { killed, left, untold } = await reapKept(lives.folder, { say: (text) => assert.fail(text) });
  assert.deepEqual([left, untold], [[], undefined]);
  assert.ok(killed.some(({ name }) => name === `run ${lives.id(0)}`));
  await Promise.all(pids.map(gone));
  const rest = [...Deno.readDirSync(`${lives.folder}/keepers`)].map(({ name }) => name);
  assert.deepEqual(rest.filter((name) => name.startsWith(lives.id(0).slice(0, -1))), []);
});

Deno.test("reapKept() touches nothing by a copy of the data folder", async () => {
  await using lives = new DaemonLives();
  const pids = await leftRuns(lives);
  const copy = Deno.makeTempDirSync({ prefix: "svc-copy-" });
  try {
    for (const name of ["keepers", "spools"]) Deno.mkdirSync(`${copy}/${name}`);
    for (const n of [0, 1]) {
      const name = `keepers/${lives.id(n)}`;
      Deno.copyFileSync(`${lives.folder}/${name}`, `${copy}/${name}`);
      Deno.chmodSync(`${copy}/${name}`, 0o600);
    }
    const { killed, left } = await reapKept(copy, { say: () => {} });
    assert.deepEqual([killed, left], [[], []]);
    assert.deepEqual(pids.map(isAlive), pids.map(() => true));
  } finally {
    Deno.removeSync(copy, { recursive: true });
  }
});

Deno.test("reap() does nothing while a daemon holds the folder, and takes the mark of the stop away", async () => {
  await using lives = new DaemonLives();
  const pids = await leftRuns(lives);
  Deno.writeTextFileSync(`${lives.folder}/stopping`, "");
  const lock = lockFolder(lives.folder);
  await assert.rejects(() => reap(lives.folder), /is in use by a running daemon/);
  lock.release();
  assert.deepEqual(pids.map(isAlive), pids.map(() => true));
  const lines = await reap(lives.folder);
  assert.ok(lines.some((line) => line.startsWith(`killed run ${lives.id(1)} (pid `)), lines.join("\n"));
  await Promise.all(pids.map(gone));
  assert.throws(() => Deno.statSync(`${lives.folder}/stopping`), Deno.errors.NotFound);
  assert.deepEqual(await reap(lives.folder), []);
});
