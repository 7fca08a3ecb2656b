import type { Figure } from "./figures.ts";
import { prepareCron, startCron, startCronAgain } from "./managers/cron.ts";
import { type Place, sizeOf } from "./managers/manager.ts";
import { kill, pause, pidsOf, until } from "./managers/marked.ts";
import { inPlace, settledMemory, sleepCommand } from "./managers/place.ts";
import { svc } from "./managers/svc.ts";

/** As long as with the others, ms. */
const settling = 8_000;
const many = 100;
const jobs = 200;
const wantedCopies = 3;

/** What cron shares with svc: `@reboot` jobs stand for services, though nothing watches over them. */
export async function besideCron(): Promise<Figure[]> {
  const found = await prepareCron();
  if ("missing" in found) {
    return [{ figure: `left out: ${found.missing}`, of: "cron", value: NaN, unit: "" }];
  }
  const of = `cron ${found.version}`;
  const beside = [...await idle(), await copies(), await busyMinute("cron")].map((figure) => ({
    ...figure,
    of,
  }));
  const { version } = await svc.prepare() as { version: string };
  return [...beside, { ...await busyMinute("svc"), of: `svc ${version}` }];
}

async function idle(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const count of [0, many]) {
    const sleep = sleepCommand();
    await inPlace(async (place) => {
      const begun = performance.now();
      const cron = await startCron(Array.from({ length: count }, () => `@reboot root ${sleep}`), place);
      await until("all run", () => pidsOf(sleep).length === count);
      const ready = performance.now() - begun;
      const { pss, rss } = await settledMemory(cron.pid, sleep);
      const what = count === 0 ? "no services" : `${count} services`;
      // Nothing tells when a cron without jobs is ready.
      if (count > 0) figures.push({ figure: `start to ready, ${what}`, value: ready, unit: "ms" });
      figures.push(
        { figure: `idle memory, ${what}, PSS`, value: pss, unit: "MB" },
        { figure: `idle memory, ${what}, RSS`, value: rss, unit: "MB" },
      );
      await end(cron);
    });
  }
  return figures;
}

async function copies(): Promise<Figure> {
  const sleep = sleepCommand();
  return await inPlace(async (place) => {
    const lines = Array.from({ length: wantedCopies }, () => `@reboot root ${sleep}`);
    const first = await startCron(lines, place);
    await until("all run", () => pidsOf(sleep).length === wantedCopies);
    await end(first);
    const second = startCronAgain(place);
    await pause(settling);
    const value = pidsOf(sleep).length;
    await end(second);
    return { figure: `copies after kill -9 and a start, ${wantedCopies} wanted`, value, unit: "processes" };
  });
}

/** Jobs that are all due at the same minute, from that moment until the last has done its work. */
async function busyMinute(who: "cron" | "svc"): Promise<Figure> {
  return await inPlace(async (place) => {
    // A minute that begins soon is too near for a program that is still to be started.
    const minute = Math.ceil((Date.now() + 5000) / 60_000) * 60_000;
    const leave = await startJobs(who, { place, at: new Date(minute) });
    await pause(minute - Date.now());
    await until("all have run", async () => await sizeOf(`${place.folder}/ends`) >= jobs * 2);
    const value = jobs / ((Date.now() - minute) / 1000);
    await leave();
    return { figure: `${jobs} jobs due at one moment`, value, unit: "runs/s" };
  });
}

async function startJobs(
  who: "cron" | "svc",
  { place, at }: { place: Place; at: Date },
): Promise<() => Promise<void>> {
  const job = `echo 1 >> ${place.folder}/ends`;
  const all = Array.from({ length: jobs }, (_, n) => n);
  if (who === "cron") {
    const time = `${at.getMinutes()} ${at.getHours()} * * *`;
    const cron = await startCron(all.map(() => `${time} root ${job}`), place);
    return () => end(cron);
  }
  const time = `${at.getMinutes()} ${at.getHours()} * * *`;
  const units = all.map((n) => ({ name: `job${n}`, run: job, isService: false, cron: time }));
  return (await svc.start(units, place)).leave;
}

async function end(cron: Deno.ChildProcess): Promise<void> {
  kill(cron.pid);
  await cron.status;
}
