import { besideCron } from "./beside_cron.ts";
import { concurrency, rate } from "./bare.ts";
import { type Figure, quantile } from "./figures.ts";
import type { ManagedUnit, Manager } from "./managers/manager.ts";
import { kill, pause, pidsOf, until } from "./managers/marked.ts";
import { inPlace, settledMemory, sleepCommand } from "./managers/place.ts";
import { pm2, removePm2 } from "./managers/pm2.ts";
import { supervisord } from "./managers/supervisord.ts";
import { svc } from "./managers/svc.ts";

/** How long a service runs before it is killed, ms. */
const steady = 8_000;
const starts = 3;
const many = 100;
const triggers = 400;
const floodBytes = 200_000_000;
const crashes = 5;
const wantedCopies = 3;

/** svc beside pm2, supervisord and cron, one after another: what they share, measured in the same way. */
export async function benchCompare(): Promise<Figure[]> {
  const figures: Figure[] = [];
  try {
    for (const manager of [svc, pm2, supervisord]) {
      const found = await manager.prepare();
      if ("missing" in found) {
        figures.push({ figure: `left out: ${found.missing}`, of: manager.name, value: NaN, unit: "" });
        continue;
      }
      const of = `${manager.name} ${found.version}`;
      for (const part of [idle, throughput, intake, restarts, copies]) {
        figures.push(...(await part(manager)).map((figure) => ({ ...figure, of })));
      }
    }
    figures.push(...await besideCron());
  } finally {
    await removePm2();
  }
  return figures;
}

/** Time to start, and memory some seconds later, with nothing to do and with services that only wait. */
async function idle(manager: Manager): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const count of [0, many]) {
    const times: number[] = [];
    let idling = { pss: NaN, rss: NaN };
    for (let n = 1; n <= starts; n++) {
      const sleep = sleepCommand();
      const units = Array.from({ length: count }, (_, n) => service(`s${n}`, sleep));
      await inPlace(async (place) => {
        const begun = performance.now();
        const running = await manager.start(units, place);
        await until("all run", () => pidsOf(sleep).length === count);
        times.push(performance.now() - begun);
        if (n === starts) idling = await settledMemory(running.pid, sleep);
        await running.leave();
      });
    }
    const what = count === 0 ? "no services" : `${count} services`;
    figures.push(
      { figure: `start to ready, ${what}`, value: quantile(times, 0.5), unit: "ms" },
      { figure: `idle memory, ${what}, PSS`, value: idling.pss, unit: "MB" },
      { figure: `idle memory, ${what}, RSS`, value: idling.rss, unit: "MB" },
    );
  }
  return figures;
}

/** `true`, started by requests over the API, and awaited. */
async function throughput(manager: Manager): Promise<Figure[]> {
  const units = Array.from({ length: concurrency }, (_, n) => asked(`true${n}`, "true"));
  return await inPlace(async (place) => {
    const running = await manager.start(units, place);
    const free = units.map(({ name }) => name);
    const value = await rate(triggers, async () => {
      const name = free.pop()!;
      await running.run(name);
      free.push(name);
    });
    await running.leave();
    return [{ figure: `\`true\` by request, ${concurrency} at a time`, value, unit: "runs/s" }];
  });
}

/** Lines of 50 bytes, as fast as a pipe takes them, until all are stored. */
async function intake(manager: Manager): Promise<Figure[]> {
  return await inPlace(async (place) => {
    const script = `${place.folder}/flood`;
    const line = "a line of ordinary output that a program prints..";
    await Deno.writeTextFile(script, `#!/bin/sh\nyes '${line}' | head -c ${floodBytes}\n`, { mode: 0o755 });
    const running = await manager.start([asked("flood", script)], place);
    const begun = performance.now();
    await running.begin("flood");
    // Who is asked all the time has less time to store.
    const isStored = async (): Promise<boolean> => await running.stored("flood") >= floodBytes;
    await until(`${manager.name} has stored all output`, isStored, { every: 20 });
    const value = (performance.now() - begun) / 1000;
    await running.leave();
    return [{ figure: "200 MB of output by one process, until stored", value, unit: "s" }];
  });
}

/** From the death of a process that has run for some time until its successor runs. */
async function restarts(manager: Manager): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const atOnce of manager === svc ? [false, true] : [false]) {
    const sleeps = Array.from({ length: crashes }, sleepCommand);
    const units = sleeps.map((sleep, n) => ({ ...service(`s${n}`, sleep), atOnce }));
    await inPlace(async (place) => {
      const running = await manager.start(units, place);
      await until("all run", () => sleeps.every((sleep) => pidsOf(sleep).length === 1));
      await pause(steady);
      const times: number[] = [];
      for (const sleep of sleeps) {
        const [before] = pidsOf(sleep);
        kill(before!);
        times.push(await until("it runs again", () => pidsOf(sleep).some((pid) => pid !== before)));
      }
      await running.leave();
      const how = atOnce ? ", `restart_delay = 0`" : "";
      figures.push({ figure: `crash to restart${how}`, value: quantile(times, 0.5), unit: "ms" });
    });
  }
  return figures;
}

/** How many copies of a service run after its manager was killed and started again. */
async function copies(manager: Manager): Promise<Figure[]> {
  const sleep = sleepCommand();
  return await inPlace(async (place) => {
    const first = await manager.start([{ ...service("s", sleep), instances: wantedCopies }], place);
    await until("all run", () => pidsOf(sleep).length === wantedCopies);
    await pause(2000);
    await manager.save?.(place);
    kill(first.pid);
    await first.leave();
    await manager.startAgain(place);
    await pause(steady);
    const value = pidsOf(sleep).length;
    const figure = {
      figure: `copies after kill -9 and a start, ${wantedCopies} wanted`,
      value,
      unit: "processes",
    };
    return [
      manager === svc ? { ...figure, target: `${wantedCopies}`, pass: value === wantedCopies } : figure,
    ];
  });
}

function service(name: string, run: string): ManagedUnit {
  return { name, run, isService: true };
}

/** What is started by request only. */
function asked(name: string, run: string): ManagedUnit {
  return { name, run, isService: false };
}
