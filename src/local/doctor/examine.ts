import { judgeDatabase } from "../../core/doctor/database.ts";
import { judgeDaemon, judgePort } from "../../core/doctor/doors.ts";
import type { Finding } from "../../core/doctor/finding.ts";
import { judgeLeftovers } from "../../core/doctor/leftovers.ts";
import {
  judgeClock,
  judgeContainers,
  judgeGroups,
  judgeHelpers,
  judgeManager,
  judgeOpenFiles,
  judgeZones,
} from "../../core/doctor/machine.ts";
import { judgeConfig, judgeDisk, judgeFolder } from "../../core/doctor/places.ts";
import { judgeUnits } from "../../core/doctor/units.ts";
import { Fault, messageOf } from "../../fault.ts";
import { missingHelpers } from "../../io/programs.ts";
import type { Config } from "../../types.ts";
import { findDaemon, findPlaces, listenAddress, type PlaceFlags, type Places } from "../places.ts";
import { lookAtDatabase } from "./look_database.ts";
import { lookAtDaemon, lookAtPort, portOf, recordIn } from "./look_doors.ts";
import {
  lookAtClock,
  lookAtContainers,
  lookAtGroups,
  lookAtManager,
  lookAtOpenFiles,
  lookAtZones,
} from "./look_machine.ts";
import { lookAtConfig, lookAtDisk, lookAtFolder } from "./look_places.ts";
import { lookAtUnits } from "./look_units.ts";
import { ownVariable } from "../../io/own_variable.ts";

/** What an examination is about. */
export interface ExamineFlags extends PlaceFlags {
  host?: string;
  port?: number;
}

/** Looks at one thing. */
type Look = () => Finding | readonly Finding[] | Promise<Finding | readonly Finding[]>;

/** The default of `storage.min_free_space` where there is no configuration to say, bytes. */
const usualMinFree = 0;

/**
 * Looks at everything that a daemon needs here, with one that runs and without; nothing is changed. Answers what
 * was found, in the order in which it is best mended. `now` is Unix ms, `version` that of this program.
 */
export async function examine(
  flags: ExamineFlags,
  { now, version }: { now: number; version: string },
): Promise<Finding[]> {
  const found = findAll(flags);
  const { seen, config } = await lookAtConfig(found.config);
  const findings: Finding[] = [judgeConfig(seen)];
  const add = async (check: string, look: Look): Promise<void> => {
    try {
      findings.push(...[await look()].flat());
    } catch (error) {
      // One thing that can't be looked at must not hide the others.
      findings.push({
        check,
        level: "warn",
        seen: `can't be looked at: ${messageOf(error)}`,
        advice: "try again as the daemon's user, or as root",
      });
    }
  };
  if (config !== undefined) {
    const uid = daemonUser(found.places?.dataDir);
    await add("units", () => judgeUnits(config.units.length, lookAtUnits(config.units, uid)));
  }
  const up = found.places === undefined
    ? undefined
    : await examinePlaces(found.places, { flags, config, now, version, add });
  if (config !== undefined && config.compose.length > 0) {
    await add("containers", async () => judgeContainers(await lookAtContainers()));
  }
  await add("time zone", () => judgeZones(lookAtZones(config)));
  await add("helpers", () => judgeHelpers(missingHelpers({ users: false })));
  await add(
    "control groups",
    async () => judgeGroups(await lookAtGroups(config, { pid: up?.pid, daemonHas: up?.hasGroups })),
  );
  await add("open files", async () => {
    const limit = await lookAtOpenFiles(config, up?.pid);
    return limit === undefined ? [] : judgeOpenFiles(limit);
  });
  await add(
    "run by",
    () => judgeManager(lookAtManager(up)),
  );
  return findings;
}

/** The daemon that runs, as far as it says. */
interface Up {
  pid: number;
  isManaged: boolean;
  hasGroups?: boolean;
}

type Found = Omit<Places, "configPath">;

async function examinePlaces(
  { dataDir, socketPath: usual }: Found,
  { flags, config, now, version, add }: {
    flags: ExamineFlags;
    config: Config | undefined;
    now: number;
    version: string;
    add: (check: string, look: Look) => Promise<void>;
  },
): Promise<Up | undefined> {
  const record = dataDir === "" ? {} : recordIn(dataDir);
  const isNamed = Boolean(flags.socket || ownVariable("SVC_SOCKET"));
  const socketPath = isNamed ? usual : record.socketPath ?? usual;
  const { seen, word } = await lookAtDaemon({ dataDir, socketPath, version });
  const identity = seen.socket === "svc" ? seen.identity : undefined;
  const isOurs = identity !== undefined && (dataDir === "" || identity.dataDir === dataDir);
  await add(
    "daemon",
    () => judgeDaemon({ ...seen, ...(isOurs ? { dataDir: identity.dataDir } : {}) }),
  );
  await add("port", async () => {
    const port = await lookAtPort(addressOf(flags, isOurs ? recordIn(identity.dataDir).url : undefined));
    // The daemon whose socket is closed to this user.
    return judgePort(port.by?.dataDir === dataDir ? { ...port, state: "answers" } : port);
  });
  let newestRun: number | undefined;
  const folder = isOurs ? identity.dataDir : dataDir;
  if (folder !== "") {
    await add("data folder", () => judgeFolder(lookAtFolder(folder)));
    await add(
      "disk space",
      () => judgeDisk(lookAtDisk(folder, config?.daemon.storageMinFreeSpace ?? usualMinFree)),
    );
    const isInUse = isOurs || seen.holder !== undefined;
    const stored = await lookAtDatabase(`${folder}/svc.db`, { isInUse });
    newestRun = stored.newestRun;
    await add(
      "database",
      () => judgeDatabase(stored.database, { now, refusing: isOurs ? word?.refusing : undefined }),
    );
    await add("left behind", () =>
      judgeLeftovers({
        isDaemonUp: isInUse,
        executing: stored.executing,
        processes: stored.processes,
        now,
        ...(newestRun === undefined ? {} : { lastRun: newestRun }),
      }));
  }
  await add("clock", async () => judgeClock(await lookAtClock(now, newestRun)));
  if (!isOurs) return undefined;
  return {
    pid: identity.pid,
    isManaged: word?.isManaged ?? false,
    ...(word === undefined ? {} : { hasGroups: word.hasGroups }),
  };
}

/** Where things are, as far as flags and variables say; without a configuration the folder may still be named. */
function findAll(
  flags: PlaceFlags,
): { config: { path: string } | { refusal: string }; places: Found | undefined } {
  try {
    const { configPath, ...places } = findPlaces(flags);
    return { config: { path: configPath }, places };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const config = { refusal: error.message };
    try {
      return { config, places: findDaemon(flags) };
    } catch {
      return { config, places: undefined };
    }
  }
}

/** The address of the daemon that runs, else the one that a daemon would take. */
function addressOf(
  flags: ExamineFlags,
  url: string | undefined,
): { host: string; port: number; isUp: boolean } {
  if (url !== undefined) {
    const { hostname } = new URL(url);
    return { host: hostname.replace(/^\[(.*)\]$/, "$1"), port: portOf(url), isUp: true };
  }
  const { host, port = 8420 } = listenAddress(flags, Deno.env.toObject());
  return { host, port, isUp: false };
}

/** Who a daemon runs as: the owner of its folder, where there is one. */
function daemonUser(dataDir: string | undefined): number {
  try {
    return Deno.statSync(dataDir ?? "").uid ?? 0;
  } catch {
    return Deno.uid() ?? 0;
  }
}
