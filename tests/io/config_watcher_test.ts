import assert from "node:assert/strict";
import { loadConfigFile } from "../../src/io/config_files.ts";
import { ConfigWatcher } from "../../src/io/config_watcher.ts";
import { systemClock } from "../../src/io/clock.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { inFolder, manyEntries, write } from "../support/folder.ts";
import { noon } from "../support/units.ts";

const text = '[daemon]\ninclude = ["conf.d/*.toml"]\n[tasks.t]\nrun = "x"\nenv_file = "t.env"\n' +
  'env = { K = "${file:key}" }\n';

function prepare(folder: string): () => ReturnType<typeof loadConfigFile> {
  write(`${folder}/svc.toml`, text);
  write(`${folder}/conf.d/a.toml`, '[tasks.a]\nrun = "x"\n');
  write(`${folder}/t.env`, "A=1\n");
  write(`${folder}/key`, "k\n");
  return () => loadConfigFile(`${folder}/svc.toml`, { env: {} });
}

Deno.test("ConfigWatcher.check() sees each file that a configuration came from, and what goes back to what it was", () =>
  inFolder(async (folder) => {
    const load = prepare(folder);
    let config = (await load()).config!;
    const told: boolean[] = [];
    const watcher = new ConfigWatcher(new FakeClock(noon), {
      current: () => config,
      tell: (isStale) => void told.push(isStale),
    });
    assert.equal(watcher.check(), false);
    for (
      const [file, changed] of [
        ["svc.toml", text + "# more\n"],
        ["conf.d/a.toml", '[tasks.a]\nrun = "y"\n'],
        ["t.env", "A=2\n"],
        ["key", "l\n"],
      ] as const
    ) {
      const before = Deno.readTextFileSync(`${folder}/${file}`);
      write(`${folder}/${file}`, changed);
      assert.equal(watcher.check(), true, file);
      write(`${folder}/${file}`, before);
      assert.equal(watcher.check(), false, file);
      Deno.removeSync(`${folder}/${file}`);
      assert.equal(watcher.check(), true, `${file} is gone`);
      write(`${folder}/${file}`, before);
      assert.equal(watcher.check(), false);
    }
    write(`${folder}/conf.d/b.toml`, "");
    assert.equal(watcher.check(), true, "a new file that include matches");
    config = (await load()).config!;
    assert.equal(watcher.check(), false, "the configuration in force is another");
    assert.equal(told.length, 19);
    watcher.close();
  }));

Deno.test("ConfigWatcher looks every second where the system tells nothing", () =>
  inFolder(async (folder) => {
    const config = (await prepare(folder)()).config!;
    const clock = new FakeClock(noon);
    const told: boolean[] = [];
    const watcher = new ConfigWatcher(clock, {
      current: () => config,
      tell: (isStale) => void told.push(isStale),
    });
    watcher.start();
    await clock.advance(2_000);
    write(`${folder}/t.env`, "A=3\n");
    await clock.advance(1_000);
    assert.deepEqual(told, [false, false, false, true]);
    watcher.close();
    assert.equal(clock.waiting, 0);
  }));

/** Without its poll: only what the system tells makes a watcher look. */
const unpolled = {
  ...systemClock,
  after: (ms: number, f: () => void) => ms === 1_000 ? () => {} : systemClock.after(ms, f),
};

/** A watcher that only the system tells of changes, and what resolves when it next finds the configuration stale or not. */
async function watch(
  folder: string,
): Promise<{ watcher: ConfigWatcher; next: (isStale: boolean) => Promise<void> }> {
  const config = (await prepare(folder)()).config!;
  let wanted: { isStale: boolean; resolve: () => void } | undefined;
  const watcher = new ConfigWatcher(unpolled, {
    current: () => config,
    tell: (isStale) => {
      if (wanted?.isStale === isStale) wanted.resolve();
    },
  });
  watcher.start();
  const next = (isStale: boolean): Promise<void> => new Promise((resolve) => wanted = { isStale, resolve });
  return { watcher, next };
}

Deno.test("ConfigWatcher is told of a change by the system, also where a file is replaced by another", () =>
  inFolder(async (folder) => {
    const { watcher, next } = await watch(folder);
    const stale = next(true);
    write(`${folder}/t.env`, "A=2\n");
    await stale;
    const fresh = next(false);
    write(`${folder}/t.env.new`, "A=1\n");
    Deno.renameSync(`${folder}/t.env.new`, `${folder}/t.env`);
    await fresh;
    watcher.close();
  }));

Deno.test("ConfigWatcher is not held up by a named pipe that a run makes beside the configuration", () =>
  inFolder(async (folder) => {
    const { watcher, next } = await watch(folder);
    for (const name of ["a", "b"]) {
      await new Deno.Command("mkfifo", { args: [`${folder}/${name}`] }).output();
    }
    const stale = next(true);
    write(`${folder}/t.env`, "A=2\n");
    await stale;
    watcher.close();
  }));

Deno.test("ConfigWatcher reads no more of a file than it could have been loaded with, and waits at none", () =>
  inFolder(async (folder) => {
    const config = (await prepare(folder)()).config!;
    const watcher = new ConfigWatcher(new FakeClock(noon), { current: () => config, tell: () => {} });
    const begun = performance.now();
    Deno.truncateSync(`${folder}/t.env`, 3 * 2 ** 30);
    assert.equal(watcher.check(), true);
    Deno.removeSync(`${folder}/t.env`);
    await new Deno.Command("mkfifo", { args: [`${folder}/t.env`] }).output();
    // Whoever owns the file puts the pipe there just after it was looked at.
    const { statSync } = Deno;
    using _ = { [Symbol.dispose]: () => void (Deno.statSync = statSync) };
    Deno.statSync = (path) => statSync(path === `${folder}/t.env` ? `${folder}/key` : path);
    assert.equal(watcher.check(), true);
    assert.ok(performance.now() - begun < 2_000);
    watcher.close();
  }));

Deno.test({
  name: "ConfigWatcher has the system watch no file that another user could put a folder in place of",
  ignore: Deno.uid() !== 0,
  fn: () =>
    inFolder(async (folder) => {
      const load = prepare(folder);
      write(`${folder}/svc.toml`, text.replace("t.env", "his/t.env"));
      write(`${folder}/his/t.env`, "A=1\n");
      for (const path of ["his", "his/t.env"]) Deno.chownSync(`${folder}/${path}`, 12345, 12345);
      const config = (await load()).config!;
      const { watchFs } = Deno;
      const watched: string[] = [];
      using _ = { [Symbol.dispose]: () => void (Deno.watchFs = watchFs) };
      Deno.watchFs = (paths, options) => {
        watched.push(...[paths].flat());
        return watchFs(paths, options);
      };
      const watcher = new ConfigWatcher(new FakeClock(noon), { current: () => config, tell: () => {} });
      assert.equal(watcher.check(), false);
      assert.deepEqual(
        watched.map((path) => path.slice(folder.length)).sort(),
        ["/conf.d/a.toml", "/key", "/svc.toml"],
      );
      write(`${folder}/his/t.env`, "A=2\n");
      assert.equal(watcher.check(), true, "the poll sees it");
      watcher.close();
    }),
});

Deno.test("ConfigWatcher takes turns where others have filled a folder, rests the longer, and says so once", () =>
  inFolder(async (folder) => {
    write(
      `${folder}/svc.toml`,
      "[daemon]\ninclude = ['many/*/*/*.toml', '*.d/*.toml']\n[tasks.t]\nrun = 'x'\n",
    );
    Deno.mkdirSync(`${folder}/many`);
    const config = (await loadConfigFile(`${folder}/svc.toml`, { env: {} })).config!;
    Deno.removeSync(`${folder}/many`);
    manyEntries(`${folder}/many`);
    const clock = new FakeClock(noon);
    const warnings: string[] = [];
    let looked = Promise.withResolvers<boolean>();
    const watcher = new ConfigWatcher(clock, {
      current: () => config,
      tell: (isStale) => looked.resolve(isStale),
      warn: (sentence) => void warnings.push(sentence),
    });
    const begun = performance.now();
    assert.equal(watcher.check(), false);
    assert.equal(watcher.check(), false, "no second look begins");
    assert.equal(await looked.promise, false, "a walk that could not be finished is no change");
    const took = performance.now() - begun;
    assert.deepEqual(warnings.length, 1);
    assert.match(
      warnings[0]!,
      /^new files may go unnoticed: include "\/.*many.*" leads through more than 20000 /,
    );

    // The search rests now; a file that is known is looked at all the same.
    write(`${folder}/conf.d/a.toml`, "");
    looked = Promise.withResolvers();
    assert.equal(watcher.check(), false);
    assert.equal(await looked.promise, false);
    write(`${folder}/svc.toml`, "# changed");
    assert.equal(watcher.check(), true);
    write(
      `${folder}/svc.toml`,
      "[daemon]\ninclude = ['many/*/*/*.toml', '*.d/*.toml']\n[tasks.t]\nrun = 'x'\n",
    );
    assert.equal(watcher.check(), false);

    looked = Promise.withResolvers();
    clock.stall(25 * took + 1);
    watcher.check();
    assert.equal(await looked.promise, true, "once it has rested it finds what is new");
    assert.equal(warnings.length, 1);
    watcher.close();
  }));
