import { type Slope, slopeOf } from "./slope.ts";

/** What a daemon holds at a moment: MB of memory and of disk, and numbers. */
export interface Sample {
  /** Seconds since the first. */
  at: number;
  resident: number;
  descriptors: number;
  threads: number;
  database: number;
  logs: number;
}

/** What is watched. */
export type Measure = Exclude<keyof Sample, "at">;

/** What may grow by how much: a rate (an hour), and what is nothing within the time that was watched, however short. */
export const bounds: Readonly<Record<Measure, { hourly: number; always: number; unit: string }>> = {
  resident: { hourly: 24, always: 6, unit: " MB" },
  descriptors: { hourly: 20, always: 8, unit: "" },
  threads: { hourly: 8, always: 4, unit: "" },
  database: { hourly: 6, always: 2, unit: " MB" },
  logs: { hourly: 24, always: 4, unit: " MB" },
};

/** How one measure went, after the warm-up. */
export interface Trend extends Slope {
  measure: Measure;
  first: number;
  last: number;
  most: number;
  unit: string;
  /** Seconds that were watched. */
  seconds: number;
  /** By how much it has surely grown. */
  growth: number;
  allowed: number;
}

/** Takes a sample of a daemon's process and data folder. */
export async function takeSample(
  { pid, dataDir }: { pid: number; dataDir: string },
  { at }: { at: number },
): Promise<Sample> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  const field = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]);
  const sizes = await sizesBelow(dataDir);
  const isDatabase = (path: string): boolean => /^svc\.db/.test(path);
  return {
    at,
    resident: field("VmRSS") * 1024 / 1e6,
    descriptors: [...Deno.readDirSync(`/proc/${pid}/fd`)].length,
    threads: field("Threads"),
    database: sum([...sizes].filter(([path]) => isDatabase(path))),
    logs: sum([...sizes].filter(([path]) => !isDatabase(path))),
  };
}

/** How each measure went in the last samples, those of the warm-up being left out; `slack` widens what is allowed. */
export function trendsOf(
  samples: readonly Sample[],
  { warmUp, slack }: { warmUp: number; slack: number },
): Trend[] {
  const warm = samples.filter(({ at }) => at >= warmUp);
  return Object.entries(bounds).map(([name, { hourly, always, unit }]) => {
    const measure = name as Measure;
    const values = warm.map((sample) => sample[measure]);
    const slope = slopeOf(warm.map((sample) => ({ at: sample.at, value: sample[measure] })));
    const seconds = (warm.at(-1)?.at ?? 0) - (warm[0]?.at ?? 0);
    return {
      measure,
      first: values[0] ?? NaN,
      last: values.at(-1) ?? NaN,
      most: Math.max(...values),
      unit,
      seconds,
      ...slope,
      growth: Math.max(0, slope.least) * seconds,
      allowed: slack * Math.max(always, hourly * seconds / 3600),
    };
  });
}

/** Bytes of each file, by its path below the folder. */
async function sizesBelow(folder: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  const walk = async (below: string): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(`${folder}/${below}`)) {
      const path = `${below}${name}`;
      if (isDirectory) await walk(`${path}/`).catch(() => {}); // Retention has removed it just now.
      else sizes.set(path, await Deno.stat(`${folder}/${path}`).then(({ size }) => size, () => 0));
    }
  };
  await walk("");
  return sizes;
}

function sum(sizes: readonly [string, number][]): number {
  return sizes.reduce((all, [, size]) => all + size, 0) / 1e6;
}
