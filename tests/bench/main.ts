/**
 * `deno task bench [NAME...]`: measures, prints one table, and exits 1 when a target is missed. With `--docs` all is
 * measured, and `docs/performance.md` written.
 */
import type { Figure } from "./figures.ts";
import { type Found, performancePage, shown } from "./performance.ts";

const benches: Record<string, () => Promise<Figure[]>> = {
  compare: async () => (await import("./compare.ts")).benchCompare(),
  config: async () => (await import("./config.ts")).benchConfig(),
  cron: async () => (await import("./cron.ts")).benchCron(),
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

const isForDocs = Deno.args.includes("--docs");
const named = Deno.args.filter((arg) => arg !== "--docs");
const unknown = named.find((name) => !(name in benches));
if (unknown !== undefined) refuse(`no benchmark "${unknown}": there are ${Object.keys(benches).join(", ")}`);
if (isForDocs && named.length > 0) refuse(`--docs measures everything: leave out ${named.join(", ")}`);

const load = Deno.loadavg()[0]!;
const found: Found[] = [];
for (const bench of named.length > 0 ? named : Object.keys(benches)) {
  const figures = await benches[bench]!().catch(wentWrong);
  found.push({ bench, figures });
  for (const { figure, of, value, unit, target, pass } of figures) {
    const verdict = target === undefined ? "" : `${pass ? "met" : "MISSED"} (${target})`;
    const name = of === undefined ? figure : `${figure}: ${of}`;
    print(
      `${bench.padEnd(11)} ${name.padEnd(66)} ${shown(value).padStart(12)} ${unit.padEnd(12)} ${verdict}`,
    );
  }
}
if (isForDocs) await writePage();
Deno.exit(found.some(({ figures }) => figures.some(({ pass }) => pass === false)) ? 1 : 0);

/** One that breaks down must not cost what all others have measured. */
function wentWrong(error: unknown): Figure[] {
  return [{
    figure: `WENT WRONG: ${error}`.split("\n")[0]!,
    value: NaN,
    unit: "",
    target: "figures",
    pass: false,
  }];
}

async function writePage(): Promise<void> {
  const page = performancePage(found, {
    cores: navigator.hardwareConcurrency,
    memory: Deno.systemMemoryInfo().total,
    kernel: Deno.osRelease(),
    deno: Deno.version.deno,
    load,
    date: new Date().toISOString().slice(0, 10),
  });
  const path = new URL("../../docs/performance.md", import.meta.url);
  await Deno.writeTextFile(path, page);
  await new Deno.Command(Deno.execPath(), { args: ["fmt", "-q", path.pathname] }).output();
}

function refuse(why: string): never {
  print(why);
  Deno.exit(2);
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(line + "\n"));
}
