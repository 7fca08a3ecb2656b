import assert from "node:assert/strict";
import { isAlive } from "../../support/machine.ts";
import { Adopted, DaemonLives } from "./daemon_lives.ts";
import { readersOf } from "./pipe_keeper.ts";

const mebibyte = 1024 * 1024;

/** The night watches of a folder that live. */
function watchesOf({ folder }: DaemonLives): number[] {
  return [...Deno.readDirSync("/proc")].map(({ name }) => Number(name)).filter((pid) => {
    try {
      return pid > 0 && Deno.readTextFileSync(`/proc/${pid}/environ`).includes(`KEEPERS=${folder}/keepers`);
    } catch {
      return false; // it has ended
    }
  });
}

const wait = "while [ ! -e go ]; do sleep 0.01; done";
const night = { delay: 0.2, round: 0.2 };

for (const isLong of [false, true]) {
  const how = isLong ? "by way of files" : "directly";
  Deno.test(`a flood that was read ${how} goes on without a daemon: some is kept, the rest is counted`, async () => {
    await using lives = new DaemonLives();
    const script = `echo begun; ${wait}; head -c 200000000 /dev/zero; echo; echo done >&2; exec sleep 60`;
    await lives.live([script], { isLong, night });
    await lives.seen("it began", () => lives.journal().read().stdout === "begun\n");
    await lives.die();
    Deno.writeTextFileSync(`${lives.folder}/go`, "");
    await lives.seen("all was written", () => lives.spooled(`${lives.id()}.2.`).text === "done\n");
    const most = (isLong ? 4 : 0) * mebibyte + 16 * mebibyte + 64 * 1024;
    assert.ok(
      lives.spooled(`${lives.id()}.`).bytes <= most,
      `${lives.spooled(`${lives.id()}.`).bytes} bytes of files`,
    );
    const processes = await lives.next();
    const [found] = await processes.findKept([lives.id()]);
    assert.ok(found !== undefined && found.ended === undefined);
    const run = new Adopted(processes, found, lives.journal());
    const lost = /^(\d+) bytes of its stdout were not kept/.exec(run.process.troubles().join("\n"));
    assert.ok(lost !== null, "it is told");
    const all = "begun\n".length + 200_000_000 + 1 - Number(lost[1]);
    await lives.seen("what was kept came", () => lives.journal().size("stdout") >= all);
    assert.equal(lives.journal().size("stdout"), all);
    assert.ok(all >= 16 * mebibyte - 64 * 1024, `${all} bytes came`);
    await lives.seen("stderr came", () => lives.journal().read().stderr === "done\n");
    run.process.signal("SIGKILL");
    await run.exited;
    await run.drained;
    run.process.dismiss();
    assert.deepEqual(lives.names("spools"), []);
    await lives.seen("its watch has gone", () => watchesOf(lives).length === 1);
  });
}

Deno.test("the night watch goes when nothing lives, and a daemon that closes takes its own with it", async () => {
  await using lives = new DaemonLives();
  await lives.live(["exit 0"], { night });
  assert.equal(watchesOf(lives).length, 1);
  await lives.seen(
    "it has ended",
    () => lives.keeperText().includes("#end 0"),
  );
  await lives.die();
  const text = lives.keeperText();
  Deno.kill(Number(/(?<=#pid )\d+/.exec(text)![0]), "SIGKILL");
  await lives.seen("the watch has gone", () => watchesOf(lives).length === 0);
  const processes = await lives.next();
  const [pid] = watchesOf(lives);
  assert.ok(pid !== undefined);
  await processes.close();
  await lives.seen("the next has gone, too", () => !isAlive(pid));
  assert.equal(readersOf(`${lives.folder}/spools`).size, 0);
});

for (const [word, ends] of [["inactive", true], ["failed", true], ["activating", false]] as const) {
  Deno.test(`where the unit of the dead daemon is ${word}, runs are ${ends ? "ended" : "left"}`, async () => {
    await using lives = new DaemonLives();
    const systemctl = `${lives.folder}/systemctl`;
    Deno.writeTextFileSync(systemctl, `#!/bin/sh\necho "$*" >> "$0.asked"\necho ${word}\n`, { mode: 0o755 });
    const manager = { systemctl, unit: "svc.service", last: 2, grace: 1 };
    const scripts = [
      "trap 'echo heard; exit 7' TERM; while :; do sleep 0.01; done",
      "trap '' TERM; sleep 60 & wait; sleep 60",
    ];
    await lives.live(scripts, { night: { delay: 0.1, round: 1, manager } });
    await lives.seen("both began", () => [0, 1].every((n) => lives.keeperText(n).startsWith("#pid")));
    await lives.die();
    const asked = (): string => textOf(`${systemctl}.asked`);
    await lives.seen(
      "it was asked",
      () => asked().split("\n").length > 4 || lives.keeperText(1).includes("#end"),
    );
    assert.match(asked(), /^is-active svc\.service\n/);
    if (ends) {
      await lives.seen("the stubborn one was killed", () => lives.keeperText(1).includes("#end 137\n"));
    }
    assert.equal(lives.keeperText(0).includes("#end 7\n"), ends);
    assert.equal(lives.keeperText(1).includes("#end"), ends);
  });
}

function textOf(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}
