import assert from "node:assert/strict";
import type { UpgradeTools } from "../../src/cli/locals.ts";
import { Fault } from "../../src/fault.ts";
import type { DaemonFacts } from "../../src/http/facts.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { minute, noon, service, task } from "../support/units.ts";
import { matchGolden } from "./golden.ts";
import { call, fetchFrom } from "./memory.ts";

const units = [task({ name: "long" }), service({ name: "web" })];
const candidate = { path: "/new/svc", version: "10.0.0", commit: "abc", schema: 8 };

/** Daemons of one folder, one after the other: `start` begins the next of them, on trial where it is not the first. */
class Site implements AsyncDisposable {
  /** What was done to the machine, in order. */
  readonly done: string[] = [];
  readonly engines: TestEngine[] = [];
  readonly #daemons: Partial<DaemonFacts>[];
  #current: { fetch: typeof fetch; pid: number } | undefined;

  private constructor(daemons: Partial<DaemonFacts>[]) {
    this.#daemons = daemons;
  }

  static async of(...daemons: Partial<DaemonFacts>[]): Promise<Site> {
    const site = new Site(daemons);
    await site.begin();
    return site;
  }

  async begin(): Promise<void> {
    const n = this.engines.length;
    const facts = { pid: 4711 + n, askForTrial: () => Promise.resolve(), ...this.#daemons[n] };
    const test = await makeEngine({ units });
    this.engines.push(test);
    if (n > 0) {
      await test.stop();
      await test.start({ trial: { ms: minute, confirmed: () => {} } });
    }
    const current = { fetch: fetchFrom(test, { facts }), pid: facts.pid };
    this.#current = current;
    void test.engine.handedOver.then(() => {
      if (this.#current === current) this.#current = undefined;
    });
  }

  get fetch(): typeof fetch {
    return (input, init) => this.#current?.fetch(input, init) ?? Promise.reject(new TypeError("refused"));
  }

  tools(own: Partial<UpgradeTools> = {}): UpgradeTools {
    return {
      examine: () => Promise.resolve(candidate),
      demandAccepted: () => Promise.resolve(),
      findProgram: () =>
        Promise.resolve({ path: "/usr/local/bin/svc", words: ["daemon", "--data", "/data"] }),
      demandSameUser: () => {},
      swap: () =>
        Promise.resolve(void this.done.push("swap")).then(() => "/usr/local/bin/svc.before-upgrade"),
      swapBack: () => Promise.resolve(void this.done.push("swap back")),
      holder: () => this.#current?.pid,
      end: () => Promise.resolve(void this.done.push("end")),
      noteUnit: () => Promise.resolve(),
      start: async (_flags, { words }, isReady) => {
        this.done.push(`start ${words.join(" ")}`);
        await this.begin();
        assert.ok(await isReady());
      },
      holdSignals: () => () => {},
      ...own,
    };
  }

  async call(
    args: readonly string[],
    own: Partial<UpgradeTools> = {},
  ): Promise<{ code: number; stdout: string; stderr: string }> {
    const locals = { upgradeTools: () => Promise.resolve(this.tools(own)) };
    return await call(["upgrade", ...args], { fetch: this.fetch, locals, now: () => noon });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const engine of this.engines) await engine[Symbol.asyncDispose]();
  }
}

const next = { version: "10.0.0" };

Deno.test("svc upgrade swaps, hands over, starts the next daemon, confirms it, and says how it went", async () => {
  await using site = await Site.of({}, next);
  const { code, stdout, stderr } = await site.call(["/new/svc"]);
  assert.deepEqual([code, stderr], [0, ""]);
  assert.match(stdout, /\nupgraded from svc 9\.8\.7 to 10\.0\.0: 0 ms without a daemon, 0 runs went on\n$/);
  assert.deepEqual(site.done, ["swap", "start daemon --data /data"]);
  assert.equal(site.engines[1]!.engine.trial, undefined);
});

Deno.test("svc upgrade --json, with --check and without", async () => {
  await using site = await Site.of({}, next);
  matchGolden("upgrade-check.json", (await site.call(["/new/svc", "--check", "--json"])).stdout);
  assert.deepEqual([site.done, site.engines.length], [[], 1]);
  matchGolden("upgrade.json", (await site.call(["/new/svc", "--json"])).stdout);
});

Deno.test("svc upgrade --check says what would be done, and by whom the next daemon is started", async () => {
  await using site = await Site.of({ serviceManaged: true });
  const { code, stdout } = await site.call(["/new/svc", "--check"]);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^svc 10\.0\.0 \(abc\) would take the place of svc 9\.8\.7, "\/usr\/local\/bin\/svc"\n/,
  );
  assert.match(stdout, /\nthe service manager would start the next daemon\n$/);
});

Deno.test("svc upgrade refuses before anything is changed", async () => {
  const no = (why: string) => (): Promise<never> => Promise.reject(new Fault("invalid", why));
  const refused: [facts: Partial<DaemonFacts>, tools: Partial<UpgradeTools>, told: RegExp][] = [
    [{ pid: 1 }, {}, /process 1 of a container, and with it all would end/],
    [{}, { examine: no("it hangs") }, /it hangs/],
    [
      {},
      { examine: () => Promise.resolve({ ...candidate, schema: 6 }) },
      /knows schema 6 of the database, which has 7/,
    ],
    [{}, { findProgram: no('of the package "svc"') }, /of the package "svc"/],
    [
      {},
      { findProgram: () => Promise.resolve({ path: "/new/svc", words: [] }) },
      /it is the program that runs; give another file/,
    ],
    [{}, { demandAccepted: no("it refuses the configuration") }, /refuses the configuration/],
    [
      {},
      {
        demandSameUser: () => {
          throw new Fault("conflict", "it is user 5's");
        },
      },
      /it is user 5's/,
    ],
  ];
  for (const [facts, tools, told] of refused) {
    await using site = await Site.of(facts);
    const { code, stderr } = await site.call(["/new/svc"], tools);
    assert.equal(code, 1);
    assert.match(stderr, told);
    assert.deepEqual(site.done, []);
    assert.ok(site.engines[0]!.engine.isScheduling);
  }
});

Deno.test("svc upgrade wants a file, and a daemon on this machine", async () => {
  await using site = await Site.of({});
  const without = await site.call([]);
  assert.equal(without.code, 2);
  assert.match(without.stderr, /give the file of a release, "svc upgrade FILE": releases are to be had /);
  const remote = await site.call(["/new/svc", "--url", "http://127.0.0.1:1"]);
  assert.equal(remote.code, 2);
  assert.match(remote.stderr, /a daemon on this machine/);
});

Deno.test("svc upgrade puts the program back where the daemon does not hand over", async () => {
  const askForTrial = (): Promise<never> =>
    Promise.reject(new Fault("internal", "cannot copy the database: no room; nothing was changed"));
  await using site = await Site.of({ askForTrial });
  const { code, stderr } = await site.call(["/new/svc"]);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /the daemon does not hand over: cannot copy the database: no room.*the program is as it was/,
  );
  assert.deepEqual(site.done, ["swap", "swap back"]);
  assert.ok(site.engines[0]!.engine.isScheduling);
});

Deno.test("svc upgrade goes back where what answers is another version", async () => {
  await using site = await Site.of({}, { version: "9.9.9" }, {});
  const { code, stderr } = await site.call(["/new/svc"]);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /upgrade to svc 10\.0\.0 has failed: what answers is svc 9\.9\.9, not 10\.0\.0; svc 9\.8\.7 is back after /,
  );
  assert.deepEqual(site.done, [
    "swap",
    "start daemon --data /data",
    "swap back",
    "start daemon --data /data",
  ]);
  assert.equal(site.engines[2]!.engine.trial, undefined, "the daemon before is confirmed");
});

Deno.test("svc upgrade goes back where the next daemon does not come up, and ends what is left of it", async () => {
  await using site = await Site.of({}, {});
  let starts = 0;
  const { start } = site.tools();
  const { code, stderr } = await site.call(["/new/svc"], {
    start: (...args) =>
      ++starts === 1 ? Promise.reject(new Fault("internal", "it ended at once with code 9")) : start(...args),
  });
  assert.equal(code, 1);
  assert.match(
    stderr,
    /has failed: no daemon answers: it ended at once with code 9; svc 9\.8\.7 is back after /,
  );
  assert.deepEqual(site.done, ["swap", "swap back", "end", "start daemon --data /data"]);
});

Deno.test("svc upgrade goes back where something was not taken over", async () => {
  await using site = await Site.of({}, next, {});
  const { start } = site.tools();
  let starts = 0;
  const { stderr } = await site.call(["/new/svc"], {
    async start(flags, place, isReady) {
      await start(flags, place, isReady);
      if (++starts > 1) return;
      const { trial } = site.engines[1]!.engine;
      Object.defineProperty(trial, "leftBehind", { value: 2 });
    },
  });
  assert.match(stderr, /it has not taken everything over: 2 runs are left behind; svc 9\.8\.7 is back/);
});

Deno.test("svc upgrade that can't go back says what is to be done by hand", async () => {
  await using site = await Site.of({});
  const { code, stderr } = await site.call(["/new/svc"], {
    start: () => Promise.reject(new Fault("internal", "it ended at once")),
    swapBack: () => Promise.reject(new Fault("internal", "do it by hand: mv A B")),
  });
  assert.equal(code, 1);
  assert.match(
    stderr,
    /nor does the daemon before come back \(do it by hand: mv A B\): what ran goes on; see that /,
  );
});
