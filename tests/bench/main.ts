/** `deno task bench [NAME...]`: measures, prints one table, and exits 1 when a target is missed. */
import type { Figure } from "./figures.ts";

const benches: Record<string, () => Promise<Figure[]>> = {
  cron: async () => (await import("./cron.ts")).benchCron(),
  compare: async () => (await import("./compare.ts")).benchCompare(),
  config: async () => (await import("./config.ts")).benchConfig(),
  history: async () => (await import("./growth.ts")).benchHistory(),
  imports: async () => (await import("./imports.ts")).benchImports(),
  logs: async () => (await import("./logs.ts")).benchLogs(),
  output: async () => (await import("./output.ts")).benchOutput(),
  page: async () => (await import("./page.ts")).benchPage(),
  runs: async () => (await import("./runs.ts")).benchRuns(),
  scale: async () => (await import("./scale.ts")).benchScale(),
  streams: async () => (await import("./streams.ts")).benchStreams(),
  throughput: async () => (await import("./throughput.ts")).benchThroughput(),
  units: async () => (await import("./growth.ts")).benchUnits(),
};

const wanted = Deno.args.length > 0 ? Deno.args : Object.keys(benches);
let missed = 0;
for (const name of wanted) {
  const bench = benches[name];
  if (bench === undefined) {
    print(`no benchmark "${name}": there are ${Object.keys(benches).join(", ")}`);
    Deno.exit(2);
  }
  for (const { figure, of, value, unit, target, pass } of await bench()) {
    if (pass === false) missed++;
    const verdict = target === undefined ? "" : `${pass ? "met" : "MISSED"} (${target})`;
    print(
      `${name.padEnd(11)} ${(of === undefined ? figure : `${figure}: ${of}`).padEnd(66)} ${
        shown(value).padStart(12)
      } ${unit.padEnd(12)} ${verdict}`,
    );
  }
}
Deno.exit(missed > 0 ? 1 : 0);

function shown(value: number): string {
  if (Number.isNaN(value)) return "";
  return value >= 100 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(3)));
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(line + "\n"));
}
