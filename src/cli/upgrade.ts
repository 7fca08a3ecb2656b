import { durationWords } from "../core/time_words.ts";
import { Fault, messageOf } from "../fault.ts";
import type { InstanceInfoJson } from "../http/schemas/daemon.ts";
import type { Client } from "./client.ts";
import type { Context } from "./command.ts";
import { Unreachable, UsageError } from "./failures.ts";
import type { Candidate, ProgramPlace, UpgradeTools } from "./locals.ts";
import { sleep } from "./sleep.ts";

/** Between two looks, ms. */
const betweenLooks = 100;
/** So long a daemon may take until it answers, ms. */
const patience = 30_000;
/** So long one may take to leave: what can't outlive it ends in order before, ms. */
const leavePatience = 600_000;
/** So long a single request may take: what hangs is no daemon, ms. */
const requestPatience = 5_000;

/** What is known before anything is changed. */
export interface UpgradePlan {
  client: Client;
  tools: UpgradeTools;
  candidate: Candidate;
  place: ProgramPlace;
  before: InstanceInfoJson;
  isManaged: boolean;
}

/** What came of an upgrade. */
export interface Upgraded {
  /** Where the program before is. */
  kept: string;
  /** How long no daemon was there, ms. */
  ms: number;
  adopted: number;
  endedMeanwhile: number;
}

/** Looks at all that an upgrade needs, and changes nothing. Throws `Fault`. */
export async function planUpgrade(context: Context, file: string): Promise<UpgradePlan> {
  const client = await context.connect();
  if (client.remote !== undefined) {
    throw new UsageError(
      "svc upgrade changes the program of a daemon on this machine: name it with -c, --data or --socket",
    );
  }
  const before = await client.identity();
  const { service_managed: isManaged, trial } = await client.daemon();
  if (before === undefined) throw new TypeError("the daemon does not say who it is");
  if (trial !== undefined) {
    throw new Fault(
      "conflict",
      "cannot upgrade: the daemon is on trial itself; wait a minute, and ask again",
    );
  }
  if (before.pid === 1) {
    throw new Fault(
      "conflict",
      "cannot upgrade: the daemon is process 1 of a container, and with it all would end; start one from a newer image",
    );
  }
  const tools = await context.locals.upgradeTools();
  const candidate = await tools.examine(file);
  const schema = await context.locals.schema();
  if (candidate.schema < schema) {
    throw new Fault(
      "conflict",
      `cannot upgrade to "${file}": svc ${candidate.version} knows schema ${candidate.schema} of the database, which has ` +
        `${schema}; give a release that is no older, or stop the daemon and restore a backup of that time`,
    );
  }
  const place = await tools.findProgram(before.data_dir);
  if (place.path === candidate.path) {
    throw new Fault("invalid", `cannot upgrade to "${file}": it is the program that runs; give another file`);
  }
  if (!isManaged) tools.demandSameUser(before.data_dir);
  await tools.demandAccepted(candidate, before.config_path);
  return { client, tools, candidate, place, before, isManaged };
}

/** Does it, or leaves everything as it was. Throws `Fault` that says so. */
export async function upgrade(context: Context, plan: UpgradePlan): Promise<Upgraded> {
  const { tools, before, client } = plan;
  await tools.noteUnit(before.pid);
  const release = tools.holdSignals();
  try {
    const kept = await tools.swap(plan.place, plan.candidate);
    try {
      await client.handOver({ force: false, trial: true });
    } catch (error) {
      await tools.swapBack(plan.place);
      throw new Fault(
        "conflict",
        `the daemon does not hand over: ${messageOf(error)}; the program is as it was`,
      );
    }
    const begun = context.now();
    try {
      const { adopted, endedMeanwhile, ms } = await tryOut(context, plan, begun);
      return { kept, ms, adopted, endedMeanwhile };
    } catch (error) {
      throw await goBack(context, plan, { begun, why: messageOf(error) });
    }
  } finally {
    release();
  }
}

/** Has the new daemon come up and confirms it. Throws what is wrong with it. */
async function tryOut(
  context: Context,
  plan: UpgradePlan,
  begun: number,
): Promise<Omit<Upgraded, "kept">> {
  const { client, before, candidate } = plan;
  await waitForEnd(context, plan);
  const next = await comeUp(context, plan, before.pid);
  const ms = context.now() - begun;
  if (next.version !== candidate.version) {
    throw new Fault("conflict", `what answers is svc ${next.version}, not ${candidate.version}`);
  }
  const { trial, adopted = 0, ended_meanwhile: endedMeanwhile = 0 } = await soon(client.daemon());
  if (trial === undefined) throw new Fault("conflict", "the new daemon does not know that it is on trial");
  if (trial.left_behind > 0) {
    throw new Fault(
      "conflict",
      `it has not taken everything over: ${trial.left_behind} runs are left behind`,
    );
  }
  await confirm(client, next.pid);
  return { ms, adopted, endedMeanwhile };
}

/** An answer that got lost makes no failure of a daemon that goes on. */
async function confirm(client: Client, pid: number): Promise<void> {
  try {
    await within(client.confirm(), patience);
  } catch (error) {
    const goesOn = async (): Promise<boolean> =>
      (await soon(client.identity()))?.pid === pid && (await soon(client.daemon())).trial === undefined;
    if (!await goesOn().catch(() => false)) throw error;
  }
}

/** The old daemon goes, however long what can't outlive it takes to end. */
async function waitForEnd(context: Context, { tools, before }: UpgradePlan): Promise<void> {
  const until = context.now() + leavePatience;
  while (tools.holder(before.data_dir) === before.pid) {
    if (context.now() >= until) throw new Fault("unavailable", "the daemon before does not end");
    await sleep(betweenLooks);
  }
}

/** Starts a daemon, or waits for the one that the service manager starts; answers who it is. */
async function comeUp(context: Context, plan: UpgradePlan, notPid: number): Promise<InstanceInfoJson> {
  const { client, tools, place, before, isManaged } = plan;
  const until = context.now() + patience;
  let trouble = "";
  if (!isManaged) {
    const flags = { config: before.config_path, data: before.data_dir, socket: before.socket_path };
    const isReady = async (): Promise<boolean> => await answering(client, notPid) !== undefined;
    // What supervises it may have been faster.
    await tools.start(flags, place, isReady).catch((error) => trouble = `: ${messageOf(error)}`);
  }
  for (;; await sleep(betweenLooks)) {
    const next = await answering(client, notPid);
    if (next !== undefined) return next;
    const isHopeless = trouble !== "" && tools.holder(before.data_dir) === undefined;
    if (isHopeless) throw new Fault("unavailable", `no daemon answers${trouble}`);
    if (context.now() >= until) break;
  }
  throw new Fault("unavailable", `no daemon answers after ${patience / 1000} s${trouble}`);
}

/** Who answers, unless it is the one before. */
async function answering(client: Client, notPid: number): Promise<InstanceInfoJson | undefined> {
  try {
    const now = await soon(client.identity());
    return now?.pid === notPid ? undefined : now;
  } catch (error) {
    if (error instanceof Unreachable || error instanceof Fault) return undefined;
    throw error;
  }
}

/** Brings the program before back, and lets it go on; answers the failure that tells of it. */
async function goBack(
  context: Context,
  plan: UpgradePlan,
  { begun, why }: { begun: number; why: string },
): Promise<Fault> {
  const { client, tools, place, before, candidate } = plan;
  const head = `the upgrade to svc ${candidate.version} has failed: ${why}`;
  try {
    await tools.swapBack(place);
    const pid = tools.holder(before.data_dir);
    if (pid !== before.pid) await endTrial(context, plan, pid);
    const back = await comeUp(context, plan, pid ?? before.pid);
    await within(client.confirm(), patience);
    const { adopted = 0 } = await soon(client.daemon());
    const took = durationWords(context.now() - begun);
    return new Fault(
      "conflict",
      `${head}; svc ${back.version} is back after ${took}, and ${runs(adopted)} went on`,
    );
  } catch (error) {
    return new Fault(
      "internal",
      `${head}; nor does the daemon before come back (${messageOf(error)}): what ran goes on; ` +
        `see that "${place.path}" is the program before, and start it: ${
          ["svc", ...place.words].join(" ")
        }, or by the service manager`,
    );
  }
}

/** Ends the new daemon, in order if it can, so that what it has read is not lost. */
async function endTrial(context: Context, plan: UpgradePlan, pid: number | undefined): Promise<void> {
  const { client, tools, before } = plan;
  if (pid !== undefined && await soon(client.handOver({ force: false })).then(() => true, () => false)) {
    const until = context.now() + requestPatience;
    while (tools.holder(before.data_dir) === pid && context.now() < until) await sleep(betweenLooks);
    if (tools.holder(before.data_dir) !== pid) return;
  }
  await tools.end(before.data_dir, before.pid);
}

/** e.g. "3 runs". */
export function runs(count: number): string {
  return `${count} ${count === 1 ? "run" : "runs"}`;
}

function soon<T>(asked: Promise<T>): Promise<T> {
  return within(asked, requestPatience);
}

/** What a promise gives, if that is in time. Throws `Fault`. */
async function within<T>(asked: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Fault("unavailable", `the daemon does not answer within ${ms / 1000} s`)),
      ms,
    );
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
