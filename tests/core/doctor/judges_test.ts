import assert from "node:assert/strict";
import { type DatabaseSeen, judgeDatabase } from "../../../src/core/doctor/database.ts";
import { type DaemonSeen, judgeDaemon, judgePort, type PortSeen } from "../../../src/core/doctor/doors.ts";
import { bad, type Finding, ok, summaryOf, warn } from "../../../src/core/doctor/finding.ts";
import { judgeLeftovers, type LeftoversSeen } from "../../../src/core/doctor/leftovers.ts";
import {
  type GroupsSeen,
  judgeClock,
  judgeContainers,
  judgeGroups,
  judgeManager,
  judgeOpenFiles,
  judgeZones,
  type ZonesSeen,
} from "../../../src/core/doctor/machine.ts";
import { type FolderSeen, judgeConfig, judgeDisk, judgeFolder } from "../../../src/core/doctor/places.ts";
import { judgeUnits, type UnitTrouble } from "../../../src/core/doctor/units.ts";

/** What each case is to be taken as: level, and what its words must say. */
type Expected = [level: Finding["level"], words: RegExp];

function assertJudged(finding: Finding, [level, words]: Expected): void {
  const text = `${finding.seen}; ${finding.advice ?? ""}`;
  assert.match(text, words);
  assert.equal(finding.level, level, text);
  assert.equal(finding.advice === undefined, level === "ok", "what isn't well has advice");
  assert.doesNotMatch(text, /\n|\.; |\.$/);
}

const pure = { permissions: "none" } as const;

Deno.test("judgeConfig() wants a file without errors", pure, () => {
  const config = { path: "/a.toml", errors: [], warnings: [], units: 2 };
  assertJudged(judgeConfig(config), ["ok", /\/a\.toml, 2 units/]);
  assertJudged(judgeConfig({ ...config, errors: ["/a.toml:1:2: x", "y"] }), [
    "bad",
    /a\.toml:1:2: x \(2 errors/,
  ]);
  assertJudged(judgeConfig({ ...config, warnings: ["w"] }), ["warn", /^w; "svc validate/]);
  const none = { refusal: "nothing found; name one", errors: [], warnings: [], units: 0 };
  assertJudged(judgeConfig(none), ["bad", /^nothing found; name one$/]);
});

Deno.test("judgeFolder() wants a folder that only the daemon's user may use", pure, () => {
  const folder: FolderSeen = {
    path: "/d",
    state: "folder",
    mode: 0o40700,
    owner: 7,
    uid: 7,
    isWritable: true,
    foreign: [],
  };
  const cases: [own: Partial<FolderSeen>, expected: Expected][] = [
    [{}, ["ok", /\/d, mode 700/]],
    [{ mode: 0o40755 }, ["warn", /look into \/d \(mode 755\); chmod 700/]],
    [{ mode: 0o40777 }, ["bad", /may write \/d/]],
    [{ isWritable: false }, ["bad", /user 7 can't write it/]],
    [{ foreign: ["svc.db"] }, ["bad", /svc\.db in \/d does not belong to user 7; chown -R 7 \/d/]],
    [{ fileSystem: "memory" }, ["warn", /in memory/]],
    [{ fileSystem: "network" }, ["warn", /network file system/]],
    [{ state: "missing" }, ["ok", /not there yet/]],
    [{ state: "missing", isWritable: false }, ["bad", /can't make it/]],
    [{ state: "no_folder" }, ["bad", /is no folder/]],
    [{ state: "hidden" }, ["bad", /can't be looked at by user 7/]],
  ];
  for (const [own, expected] of cases) assertJudged(judgeFolder({ ...folder, ...own }), expected);
});

Deno.test("judgeDisk() goes by min_free_space and by inodes", pure, () => {
  assertJudged(judgeDisk({ free: 9e9, minFree: 1e9 }), ["ok", /9 GB free, 1 GB are kept free/]);
  assertJudged(judgeDisk({ free: 15e8, minFree: 1e9 }), ["warn", /1\.5 GB free/]);
  assertJudged(judgeDisk({ free: 5e8, minFree: 1e9 }), ["bad", /less than storage\.min_free_space/]);
  assertJudged(judgeDisk({ free: 5e8, minFree: 0 }), ["ok", /500 MB free/]);
  assertJudged(judgeDisk({ free: 9e9, minFree: 0, inodes: { free: 9, total: 1e6 } }), [
    "bad",
    /9 of 1000000 inodes/,
  ]);
  // Some file systems count none.
  assertJudged(judgeDisk({ free: 9e9, minFree: 0, inodes: { free: 0, total: 0 } }), ["ok", /9 GB/]);
  assertJudged(judgeDisk({ minFree: 0 }), ["warn", /can't be told/]);
});

Deno.test("judgeDatabase() tells damage, a newer schema, and a log that is not written back", pure, () => {
  const whole: Extract<DatabaseSeen, { state: "checked" }> = {
    state: "checked",
    path: "/d/svc.db",
    bytes: 1e6,
    logBytes: 0,
    damage: [],
    schema: 6,
    known: 6,
    isUnclean: false,
    isInUse: false,
  };
  const cases: [seen: DatabaseSeen, expected: Expected][] = [
    [whole, ["ok", /whole, 1 MB, schema 6; $/]],
    [{ ...whole, isUnclean: true }, ["ok", /did not end in order/]],
    [{ ...whole, isUnclean: true, isInUse: true }, ["ok", /schema 6; $/]],
    [{ ...whole, schema: 4 }, ["ok", /brings it to 6/]],
    [{ ...whole, schema: 7 }, ["bad", /a newer svc \(schema 7/]],
    [{ ...whole, damage: ["page 3"] }, ["bad", /damaged: page 3; stop the daemon, then restore/]],
    [{ ...whole, logBytes: 1e9 }, ["warn", /log has 1 GB/]],
    [{ state: "missing" }, ["ok", /not there yet/]],
    [{ state: "hidden", path: "/d/svc.db", why: "no" }, ["warn", /\/d\/svc\.db can't be looked at: no/]],
    [{ state: "unreadable", path: "/d/svc.db", why: "no" }, ["bad", /can't be read: no; restore a backup/]],
  ];
  for (const [seen, expected] of cases) assertJudged(judgeDatabase(seen, { now: 0 }), expected);
});

Deno.test("judgeDatabase() tells of one that refuses, unless it is damaged, and what to do", pure, () => {
  const refusing = (why: string) => ({ now: 600_000, refusing: { since: 0, why } });
  const hidden = { state: "hidden", path: "/d/svc.db", why: "no room" } as const;
  const cases: [why: string, words: RegExp][] = [
    ["database or disk is full", /^has refused for 10 m: .* full; nothing .* until there is room; make room/],
    ["database is locked", /until another program lets go of it; end what has the daemon's database open/],
    ["disk I/O error", /until that is mended; see to the disk of the data folder/],
  ];
  for (const [why, words] of cases) assertJudged(judgeDatabase(hidden, refusing(why)), ["bad", words]);
  const damaged = { state: "checked", path: "/d/svc.db", bytes: 1, logBytes: 0, damage: ["page 3"] } as const;
  const seen = { ...damaged, schema: 6, known: 6, isUnclean: false, isInUse: true };
  assertJudged(judgeDatabase(seen, refusing("disk I/O error")), ["bad", /is damaged: page 3/]);
});

Deno.test("judgeDaemon() tells a daemon from what is left of one, and from others", pure, () => {
  const none: DaemonSeen = { dataDir: "/d", socketPath: "/d/svc.sock", socket: "absent", version: "2" };
  const identity = { version: "2", pid: 5, dataDir: "/d" };
  const cases: [own: Partial<DaemonSeen>, expected: Expected][] = [
    [{}, ["warn", /none runs; start one/]],
    [{ socket: "stale" }, ["warn", /left that died/]],
    [{ socket: "svc", identity, holder: "5" }, ["ok", /svc 2 runs, pid 5/]],
    [{ socket: "svc", identity: { ...identity, version: "1" } }, ["warn", /svc 1 runs.*this program is 2/]],
    [{ socket: "svc", identity: { ...identity, dataDir: "/e" } }, ["bad", /belongs to the daemon of \/e/]],
    [{ socket: "forbidden", holder: "5" }, ["bad", /belongs to another user/]],
    [{ socket: "absent", holder: "5" }, ["bad", /\(pid 5\) holds the data folder, but does not answer/]],
    [{ socket: "stale", holder: "" }, ["bad", /a daemon holds the data folder/]],
    [{ socket: "no_socket" }, ["bad", /is no socket/]],
    [{ socket: "other" }, ["bad", /something else than a svc daemon/]],
    [{ socket: "silent" }, ["bad", /something else than a svc daemon/]],
  ];
  for (const [own, expected] of cases) assertJudged(judgeDaemon({ ...none, ...own }), expected);
});

Deno.test("judgePort() tells who has the port", pure, () => {
  const port: PortSeen = { host: "::1", port: 80, state: "free" };
  const cases: [own: Partial<PortSeen>, expected: Expected][] = [
    [{}, ["ok", /\[::1\]:80 is free/]],
    [{ port: 0 }, ["ok", /any free one/]],
    [{ state: "answers" }, ["ok", /answers at \[::1\]:80/]],
    [{ state: "silent" }, ["bad", /does not answer/]],
    [{ state: "taken" }, ["bad", /another program/]],
    [{ state: "taken", by: { version: "1", pid: 3, dataDir: "/e" } }, ["bad", /daemon of \/e \(pid 3\)/]],
    [{ state: "forbidden" }, ["bad", /may not listen/]],
    [{ state: "no_address" }, ["bad", /no address ::1/]],
  ];
  for (const [own, expected] of cases) assertJudged(judgePort({ ...port, ...own }), expected);
});

Deno.test("judgeClock() finds a clock that is wrong, was set back, or runs free", pure, () => {
  const now = Date.UTC(2027, 0, 15, 12);
  assertJudged(judgeClock({ now }), ["ok", /^2027-01-15T12:00:00Z; $/]);
  assertJudged(judgeClock({ now, isSynchronized: true, newestRun: now + 60_000 }), ["ok", /synchronized/]);
  assertJudged(judgeClock({ now, isSynchronized: false }), ["warn", /nothing keeps it right/]);
  assertJudged(judgeClock({ now, newestRun: now + 3_600_000 }), [
    "bad",
    /from 2027-01-15T13:00:00Z: it was set back/,
  ]);
  assertJudged(judgeClock({ now: 0 }), ["bad", /shows 1970/]);
});

Deno.test("judgeZones() tells which zone is meant, and whether data is there", pure, () => {
  const zones: ZonesSeen = {
    host: "Europe/Berlin",
    isVariableKnown: true,
    edition: "2026b",
    isDataRight: true,
    machineHasData: true,
  };
  const judged = (own: Partial<ZonesSeen>): Finding[] => judgeZones({ ...zones, ...own });
  assertJudged(judged({})[0]!, ["ok", /Europe\/Berlin, of this machine/]);
  assertJudged(judged({ configured: "UTC" })[0]!, ["ok", /UTC, from the configuration/]);
  assertJudged(judged({ variable: "Mars", isVariableKnown: false, host: "UTC" })[0]!, [
    "bad",
    /TZ is "Mars"/,
  ]);
  assertJudged(judged({})[1]!, ["ok", /2026b/]);
  assertJudged(judged({ machineHasData: false })[1]!, ["warn", /install the package tzdata/]);
  assertJudged(judged({ isDataRight: false })[1]!, ["bad", /not usable/]);
});

Deno.test("judgeGroups() is bad only where a limit that somebody set is not held", pure, () => {
  const all = { version: 2, isWritable: true, controllers: ["memory", "cpu", "pids"] } as const;
  const groups: GroupsSeen = { os: "linux", trees: [all], limited: [] };
  const cases: [own: Partial<GroupsSeen>, expected: Expected][] = [
    [{}, ["ok", /^v2, usable: memory, cpu, pids/]],
    [{ trees: [{ ...all, isWritable: false }] }, ["warn", /not writable.*Delegate=yes/]],
    [{ trees: [{ ...all, isWritable: false }], limited: ["a"] }, ["bad", /the limits of a are not held/]],
    [{ trees: [{ ...all, controllers: ["memory"] }] }, ["ok", /usable: memory/]],
    [{ trees: [{ ...all, controllers: ["memory"] }], limited: ["a"] }, [
      "warn",
      /cpu, pids are not handed on to the/,
    ]],
    [{ trees: [{ ...all, controllers: [] }], limited: ["a"] }, [
      "bad",
      /memory, cpu, pids are not handed on/,
    ]],
    [{ trees: [{ ...all, controllers: [] }] }, ["ok", /usable, without controllers: limits are not held/]],
    [{ trees: [{ ...all, brokenType: "domain threaded" }] }, ["warn", /in is "domain threaded", so that no/]],
    [{ trees: [{ ...all, brokenType: "domain invalid" }], limited: ["a"] }, [
      "bad",
      /limits of a are not held/,
    ]],
    [{ daemonHas: false, limited: ["a", "b", "c", "d", "e"] }, ["bad", /a, b, c and 2 more/]],
    [{ trees: [] }, ["warn", /none are mounted/]],
    [{ os: "darwin", trees: [] }, ["ok", /darwin has none/]],
    [{ os: "darwin", trees: [], limited: ["a"] }, ["bad", /leave limits out/]],
  ];
  for (const [own, expected] of cases) assertJudged(judgeGroups({ ...groups, ...own }), expected);
});

Deno.test("judgeOpenFiles() and judgeManager() know what is enough", pure, () => {
  assertJudged(judgeOpenFiles({ limit: 1024, runs: 10, ofDaemon: true }), [
    "ok",
    /1024 for the daemon, 10 runs/,
  ]);
  assertJudged(judgeOpenFiles({ limit: 256, runs: 10, ofDaemon: false }), ["warn", /LimitNOFILE/]);
  const daemon = { pid: 7, isManaged: false };
  assertJudged(judgeManager({ manager: "systemd" }), ["ok", /systemd could/]);
  assertJudged(judgeManager({ manager: "systemd", daemon: { ...daemon, isManaged: true } }), [
    "ok",
    /^systemd/,
  ]);
  assertJudged(judgeManager({ manager: "systemd", daemon }), ["warn", /by hand.*svc service install/]);
  assertJudged(judgeManager({ manager: "none", daemon: { ...daemon, pid: 1 } }), ["warn", /--init/]);
});

Deno.test("judgeLeftovers() tells what lives on of a daemon that died, and of runs that ended", pure, () => {
  const left: LeftoversSeen = { isDaemonUp: false, executing: 0, processes: [], now: 0 };
  const processes = [{ pid: 3, unit: "a", isKept: false }];
  const kept = [{ pid: 4, unit: "b", isKept: true }];
  assertJudged(judgeLeftovers(left), ["ok", /^nothing/]);
  assertJudged(judgeLeftovers({ ...left, executing: 2 }), ["ok", /2 runs were cut short/]);
  assertJudged(judgeLeftovers({ ...left, processes }), [
    "warn",
    /1 process of a daemon that died lives? on: 3 of a/,
  ]);
  assertJudged(judgeLeftovers({ ...left, processes: kept }), [
    "warn",
    /1 process goes on without a daemon: 4 of b; the next daemon takes their runs over/,
  ]);
  assertJudged(judgeLeftovers({ ...left, processes: [...processes, ...kept] }), [
    "warn",
    /2 processes of a daemon that died live on: 3 of a, 4 of b/,
  ]);
  assertJudged(judgeLeftovers({ ...left, processes, isDaemonUp: true }), ["warn", /runs that have ended/]);
});

Deno.test("judgeContainers() tells what services of compose files lack", pure, () => {
  assertJudged(judgeContainers({ hasDocker: true, compose: "2.40.3" }), ["ok", /docker compose 2\.40\.3/]);
  assertJudged(judgeContainers({ hasDocker: true }), ["bad", /no "compose".*plugin/]);
  assertJudged(judgeContainers({ hasDocker: false }), ["bad", /no "docker" in PATH.*install it/]);
});

Deno.test("judgeUnits() tells each thing once, with all units that name it", pure, () => {
  const trouble = (unit: string): UnitTrouble => ({
    unit,
    key: "shell",
    message: 'no such shell "fish": install it, or change shell',
    isHidden: false,
  });
  assert.deepEqual(judgeUnits(5, ["a", "b", "c", "d", "e"].map(trouble)), [
    bad("units", 'no such shell "fish" (shell of a, b, c and 2 more)', "install it, or change shell"),
  ]);
  assert.equal(judgeUnits(1, [{ ...trouble("a"), isHidden: true }])[0]?.level, "warn");
  assert.equal(judgeUnits(0, [])[0]?.level, "ok");
});

Deno.test("summaryOf() counts what isn't well", pure, () => {
  assert.equal(summaryOf([ok("a", "b")]), "All well: 1 check.");
  assert.equal(
    summaryOf([ok("a", "b"), bad("a", "b", "c"), warn("a", "b", "c")]),
    "1 bad, 1 worth a look, of 3 checks.",
  );
});
