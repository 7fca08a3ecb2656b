import { checkHistory, checkStop } from "./checks.ts";
import { expectAnswers, isOneLine } from "./disk_scene.ts";
import { rowsOf } from "./history.ts";
import { noteErrors } from "./kill_scene.ts";
import { command } from "./small_disk.ts";
import { sign } from "./ledger.ts";
import { NotPlayed, pass, type Stage, within } from "./stage.ts";
import { eachSecond, hasty } from "./units.ts";

const config = `${hasty}
${eachSecond("tick", "echo a line")}
[services.up]
healthy_after = "100ms"
run = '''
${sign}
while :; do echo up; sleep 0.2; done
'''
[services.falling]
restart_delay = "100ms"
healthy_after = "100ms"
run = '''
${sign}
sleep 0.3
'''
`;

/** A data folder that turns read-only under a daemon, root or not, and one that is so when it starts. */
export async function readOnlyScene(stage: Stage): Promise<string> {
  const dataDir = `${stage.folder}/.svc`;
  await probe(stage);
  const freeze = async (is: boolean): Promise<void> => {
    // SQLite has one file in its memory: a write to it would be a SIGBUS, of which it says itself that it can't help it.
    // It must not be read-only for a moment.
    const others = is ? ["!", "-name", "svc.db-shm"] : [];
    await command("find", [dataDir, ...others, "-exec", "chattr", is ? "+i" : "-i", "{}", "+"]);
  };
  stage.atEnd(() => freeze(false));

  const daemon = await stage.start(config);
  stage.expect(await within(10_000, () => newest(dataDir) > 0), "no tick ran");
  const rounds = stage.short ? 1 : 3;
  for (let round = 0; round < rounds; round++) {
    const before = daemon.log().length;
    await freeze(true);
    await pass(stage.short ? 1500 : 5000);
    await expectAnswers(stage, daemon);
    const said = /ERROR|error/.test(daemon.log().slice(before));
    stage.expect(said, "it did not say that it can't write");
    await freeze(false);
    const freed = Date.now();
    stage.expect(
      await within(15_000, () => newest(dataDir) > freed + 1000),
      "it did not go on once it could write",
    );
  }
  await freeze(true);
  await pass(1200);
  const stopped = await checkStop(stage, daemon, { limit: 12_000 });
  noteErrors(stage, daemon);

  await freeze(true);
  const refused = await stage.spawn(config);
  const got = await refused.ready();
  if (stage.expect(got === undefined, "a start on a read-only folder was not refused")) {
    stage.expect(
      await refused.ended() === 1,
      `a start on a read-only folder ended with ${await refused.ended()}`,
    );
    stage.expect(isOneLine(refused.log()), `a start on a read-only folder said: ${refused.log()}`);
  } else await got?.end();
  await freeze(false);

  const last = await stage.start(config);
  stage.expect(await within(15_000, () => newest(dataDir) > Date.now() - 2000), "it does not go on");
  await checkStop(stage, last, { limit: 8000 });
  noteErrors(stage, last);
  const rows = await checkHistory(stage, { dataDir, ticking: [{ unit: "tick", step: 1 }], accepted: [] });
  return `read-only ${
    rounds + 1
  } times, ${rows.length} runs, stopped on a read-only folder in ${stopped} ms, ` +
    `a start was refused: ${refused.log().trim().split("\n").at(-1)}`;
}

/** Root may write what has no mode for it: only a file system that keeps files from changing holds it back. */
async function probe(stage: Stage): Promise<void> {
  const path = `${stage.folder}/probe`;
  using file = await Deno.open(path, { create: true, write: true });
  const trouble = await command("chattr", ["+i", path]);
  let held = false;
  try {
    file.writeSync(new Uint8Array(1));
  } catch {
    held = true;
  }
  await command("chattr", ["-i", path]);
  if (trouble !== undefined || !held) {
    throw new NotPlayed(
      `nothing can be made read-only under a daemon here (${trouble ?? "chattr holds nobody back"})`,
    );
  }
}

function newest(dataDir: string): number {
  return rowsOf(dataDir).findLast(({ unit, end_reason }) => unit === "tick" && end_reason === "success")
    ?.created_at ?? 0;
}
