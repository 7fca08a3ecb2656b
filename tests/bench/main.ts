/**
 * `deno task bench [NAME...]`: measures, prints one table, and exits 1 when a target is missed. With `--docs`
 * `docs/performance.md` is written, too: of all, or of those that are named and what was measured before (dist/bench.json).
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

/** Where figures go that a process of its own has measured. */
const handsOn = Deno.env.get("SVC_BENCH_FIGURES");
const isForDocs = Deno.args.includes("--docs");
const named = Deno.args.filter((arg) => arg !== "--docs");
const unknown = named.find((name) => !(name in benches));
if (unknown !== undefined) refuse(`no benchmark "${unknown}": there are ${Object.keys(benches).join(", ")}`);

const load = Deno.loadavg()[0]!;
const found: Found[] = [];
const wanted = named.length > 0 ? named : Object.keys(benches);
for (const bench of wanted) {
  // What was measured before must cost nothing: a process that has grown spawns more slowly, for one.
  const figures = wanted.length > 1 ? await measureAlone(bench) : await benches[bench]!().catch(wentWrong);
  found.push({ bench, figures });
  if (handsOn !== undefined) continue;
  for (const { figure, of, value, unit, target, pass } of figures) {
    const verdict = target === undefined ? "" : `${pass ? "met" : "MISSED"} (${target})`;
    const name = of === undefined ? figure : `${figure}: ${of}`;
    print(
      `${bench.padEnd(11)} ${name.padEnd(66)} ${shown(value).padStart(12)} ${unit.padEnd(12)} ${verdict}`,
    );
  }
}
if (handsOn !== undefined) await Deno.writeTextFile(handsOn, JSON.stringify(found[0]!.figures));
if (isForDocs) await writePage(await keep());
Deno.exit(found.some(({ figures }) => figures.some(({ pass }) => pass === false)) ? 1 : 0);

/** Measures in a process of its own. */
async function measureAlone(bench: string): Promise<Figure[]> {
  const file = await Deno.makeTempFile({ prefix: "svc-bench-" });
  try {
    await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-prompt", "--v8-flags=--expose-gc", import.meta.filename!, bench],
      env: { SVC_BENCH_FIGURES: file },
      stdout: "null",
    }).output();
    return figuresOf(await Deno.readTextFile(file));
  } catch (error) {
    return wentWrong(error);
  } finally {
    await Deno.remove(file);
  }
}

/** Puts what was found to what was found before, in the order of the benchmarks. */
async function keep(): Promise<Found[]> {
  const path = new URL("../../dist/bench.json", import.meta.url);
  const before = named.length === 0 ? "{}" : await Deno.readTextFile(path).catch(() => "{}");
  const all = new Map<string, readonly Figure[]>(Object.entries(JSON.parse(before, nanOfNull)));
  for (const { bench, figures } of found) all.set(bench, figures);
  await Deno.writeTextFile(path, JSON.stringify(Object.fromEntries(all)));
  return Object.keys(benches).flatMap((bench) => {
    const figures = all.get(bench);
    return figures === undefined ? [] : [{ bench, figures }];
  });
}

function figuresOf(text: string): Figure[] {
  return JSON.parse(text, nanOfNull);
}

/** JSON has no NaN. */
function nanOfNull(_: string, value: unknown): unknown {
  return value === null ? NaN : value;
}

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

async function writePage(found: readonly Found[]): Promise<void> {
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
