import { cpuUsage } from "node:process";
import { LogStore } from "../../src/io/logs/store.ts";
import { atMost, type Figure } from "./figures.ts";

const bytes = 2 * 1024 * 1024;
/** What a pipe hands over at once of output that may be drawn over. */
const chunk = 4 * 1024;

/** An ordinary progress bar, and output that was made to cost as much as it can. */
const bar = "\r 50% [=====     ] downloading";
const hostile: Readonly<Record<string, string>> = {
  "400 coloured characters": `${Array.from({ length: 400 }, (_, i) => `\x1b[3${i % 8}mx`).join("")}\r`,
  "a jump to the far corner in each line": "\x1b[99999;99999Hx\n",
  "a jump 999 rows up in each line": "\x1b[999Ax\n",
  "a column more in each row": "\x1b[99999Cx\r",
  "200 rows made and cleared": "\x1b[200;1Hx\x1bc",
  "lines of 50,000 characters drawn over": `${"x".repeat(50_000)}\ry`,
  "lines that are no text": "\r\0\n",
  "a row taken out at the top of 200": "\x1b[199Bx\x1b[H\x1b[M",
  "199 rows put in": "\x1b[H\x1b[199L",
  "999 columns put in": "\r\x1b[999@x",
  "a character with 60 accents repeated": `e${"\u0301".repeat(60)}\x1b[99b\r`,
};

/** What hostile output costs the main thread, beside a progress bar of as many bytes in the same process. */
export async function benchRedraws(): Promise<Figure[]> {
  costOf(bar);
  const ordinary = Math.min(costOf(bar).cpu, costOf(bar).cpu);
  let worst = { name: "", cpu: 0 };
  let longest = 0;
  for (const [name, unit] of Object.entries(hostile)) {
    const { cpu, step } = costOf(unit);
    if (cpu > worst.cpu) worst = { name, cpu };
    longest = Math.max(longest, step);
    // What is to be written goes first.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  const perMiB = 1024 * 1024 / bytes;
  return [
    { figure: "CPU for 1 MiB of a progress bar", value: ordinary * perMiB, unit: "ms" },
    { figure: `CPU for 1 MiB of the worst: ${worst.name}`, value: worst.cpu * perMiB, unit: "ms" },
    atMost(20, { figure: "the worst against the bar", value: worst.cpu / ordinary, unit: "×" }),
    { figure: "longest step of it", value: longest, unit: "ms" },
  ];
}

/** Milliseconds of processor that it takes to store a text again and again, and the longest single step. */
function costOf(unit: string): { cpu: number; step: number } {
  const folder = Deno.makeTempDirSync();
  const store = new LogStore(folder, { after: () => () => {} });
  const writer = store.writer("unit", "run", { maxSize: 8 * 1024 * 1024, onFull: "drop_old" });
  const piece = new TextEncoder().encode(unit.repeat(Math.ceil(chunk / unit.length) + 1)).subarray(0, chunk);
  const before = cpuUsage();
  let step = 0;
  for (let at = 0; at < bytes / chunk; at++) {
    for (let from = 0; from < piece.length;) {
      const began = performance.now();
      from += writer.writeSome("stdout", piece.subarray(from), 1000 + at);
      step = Math.max(step, performance.now() - began);
    }
  }
  writer.close();
  const { user, system } = cpuUsage(before);
  Deno.removeSync(folder, { recursive: true });
  return { cpu: (user + system) / 1000, step };
}
