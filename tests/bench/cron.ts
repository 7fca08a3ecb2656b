/** Speed and size of the schedule engine, beside croner on the same inputs in the same run. */

import { Cron } from "croner";
import { describeCron } from "../../src/core/cron/describe.ts";
import { nextTick } from "../../src/core/cron/next.ts";
import { parseCron, type Schedule } from "../../src/core/cron/parse.ts";
import { zoneOf } from "../../src/core/cron/zone.ts";

/** One measured figure; `pass` is there where a `target` is. */
export interface CronFigure {
  figure: string;
  value: number;
  unit: string;
  target?: string;
  pass?: boolean;
}

/** What people write, in the syntax that croner reads as well. */
const expressions = [
  "* * * * *",
  "*/5 * * * *",
  "*/15 * * * *",
  "7 * * * *",
  "0 */6 * * *",
  "27 2-23/3 * * *",
  "0 2 * * *",
  "45 7 * * *",
  "0 0,8,16 * * *",
  "30 6 * * 1",
  "0 9-17 * * 1-5",
  "*/10 8-18 * * MON-FRI",
  "0 22 * * MON,WED,FRI",
  "*/5 0-6 1,15 * *",
  "30 4 1,15 * 5",
  "0 5 1 * *",
  "0 0 L * *",
  "0 9 * * MON#2",
  "0 0 1 1,7 *",
  "14 14 14 2 *",
  "0 0 29 2 *",
  "*/30 * * * * *",
  "15,45 30 4 * * *",
  "0 */5 * * * *",
];

const zones = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "America/Havana",
];

const ROUNDS = 5;

/** Measures parsing, next ticks, describing and memory; each speed is the median of five rounds. Takes about 5 s. */
// deno-lint-ignore require-await -- benches are started alike, and others do wait
export async function benchCron(): Promise<CronFigure[]> {
  const parses = parseSpeeds();
  const nexts = nextSpeeds();
  return [
    atLeast(100_000, { figure: "cron: parse", value: parses.ours, unit: "parses/s" }),
    { figure: "cron: parse fields not seen before", value: parses.fresh, unit: "parses/s" },
    { figure: "cron: parse, croner", value: parses.croner, unit: "parses/s" },
    atLeast(20, { figure: "cron: parse, times croner", value: ratio(parses.ours, parses.croner), unit: "x" }),
    atLeast(200_000, { figure: "cron: next tick with zone", value: nexts.ours, unit: "ticks/s" }),
    { figure: "cron: next tick with zone, croner", value: nexts.croner, unit: "ticks/s" },
    atLeast(20, {
      figure: "cron: next tick, times croner",
      value: ratio(nexts.ours, nexts.croner),
      unit: "x",
    }),
    { figure: "cron: describe", value: describeSpeed(), unit: "texts/s" },
    { figure: "cron: memory of 10,000 schedules", value: memory(), unit: "MB" },
  ];
}

function parseSpeeds(): { ours: number; fresh: number; croner: number } {
  const ours: number[] = [];
  const fresh: number[] = [];
  const croner: number[] = [];
  let unseen = 0;
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(speed(240_000, (i) => parseCron(expressions[i % expressions.length] ?? "")));
    // Lists that differ every time, so that no field is shared with an earlier schedule.
    fresh.push(speed(20_000, () => {
      unseen++;
      const [a, b, c] = [unseen % 60, Math.floor(unseen / 60) % 60, Math.floor(unseen / 3600) % 60];
      return parseCron(
        `${a},${b},${c} ${unseen % 24},${(a + b) % 24} ${1 + unseen % 28},${1 + b % 28} * ${c % 7},${a % 7}`,
      );
    }));
    croner.push(speed(9600, (i) => {
      const timezone = zones[i % zones.length] ?? "UTC";
      return new Cron(expressions[i % expressions.length] ?? "", { timezone, paused: true });
    }));
  }
  return { ours: median(ours), fresh: median(fresh), croner: median(croner) };
}

function nextSpeeds(): { ours: number; croner: number } {
  const pairs = zones.flatMap((timezone) => expressions.map((cron) => ({ timezone, cron })));
  const mine = pairs.map(({ timezone, cron }) => ({ schedule: parseCron(cron), zone: zoneOf(timezone) }));
  const theirs = pairs.map(({ timezone, cron }) => new Cron(cron, { timezone, paused: true }));
  // Each pair starts at an instant of its own within a year and follows its ticks from there.
  const starts = pairs.map((_, i) => Date.UTC(2027, 0) + i * 2_600_000_000 % 31_536_000_000);
  const ours: number[] = [];
  const croner: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const at = [...starts];
    ours.push(speed(pairs.length * 2000, (i) => {
      const k = i % pairs.length;
      const pair = mine[k];
      if (pair === undefined) return undefined;
      // Twelve steps, the same ones that croner is given.
      if (i % (pairs.length * 12) < pairs.length) at[k] = starts[k] ?? 0;
      const tick = nextTick(pair.schedule, pair.zone, { after: at[k] ?? 0 });
      at[k] = tick?.at ?? 0;
      return tick;
    }));
    const from = [...starts];
    croner.push(speed(pairs.length * 12, (i) => {
      const k = i % pairs.length;
      const tick = theirs[k]?.nextRun(new Date(from[k] ?? 0)) ?? undefined;
      from[k] = tick?.getTime() ?? 0;
      return tick;
    }));
  }
  return { ours: median(ours), croner: median(croner) };
}

function describeSpeed(): number {
  const schedules = expressions.map((cron) => parseCron(cron));
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push(speed(12_000, (i) => describeCron(schedules[i % schedules.length] ?? EVERY_MINUTE)));
  }
  return median(rounds);
}

const EVERY_MINUTE = parseCron("* * * * *");

/** Growth of the heap by 10,000 schedules of all minutes of the day, sources included, in MB. */
function memory(): number {
  const kept: Schedule[] = [];
  const texts = Array.from({ length: 10_000 }, (_, i) => `${i % 60} ${Math.floor(i / 60) % 24} * * ${i % 7}`);
  for (const text of texts) parseCron(text);
  collect();
  const before = Deno.memoryUsage().heapUsed;
  for (const text of texts) kept.push(parseCron(text));
  collect();
  const after = Deno.memoryUsage().heapUsed;
  if (kept.length !== texts.length) throw new RangeError(`${kept.length} schedules were kept`);
  return Math.round((after - before) / 10_000) / 100;
}

/** Collects garbage where the runtime was started with `--v8-flags=--expose-gc`. */
function collect(): void {
  const { gc } = globalThis as { gc?: () => void };
  gc?.();
}

/** Calls a second of `work`, which must return what it made so that nothing is optimised away. */
function speed(count: number, work: (i: number) => unknown): number {
  let made = 0;
  const start = performance.now();
  for (let i = 0; i < count; i++) if (work(i) !== undefined) made++;
  const elapsed = performance.now() - start;
  if (made !== count) throw new RangeError(`${count - made} of ${count} calls gave nothing`);
  return Math.round(count / elapsed * 1000);
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

function ratio(ours: number, theirs: number): number {
  return Math.round(ours / theirs * 10) / 10;
}

function atLeast(least: number, row: CronFigure): CronFigure {
  return { ...row, target: `>= ${least}`, pass: row.value >= least };
}

if (import.meta.main) {
  const encoder = new TextEncoder();
  for (const { figure, value, unit, target, pass } of await benchCron()) {
    const verdict = target === undefined ? "" : `  (${target}: ${pass ? "met" : "missed"})`;
    Deno.stdout.writeSync(encoder.encode(`${figure.padEnd(40)} ${value} ${unit}${verdict}\n`));
  }
}
