/**
 * The command that runs all tests, half by half, or the first half (`fast`), or those that it names: brings what they
 * need, and says how long each folder took and what was left out.
 */
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { bringChromium, findChromium } from "./chromium.ts";
import { gather } from "./gather.ts";
import { filesAtOnce, filesInMemory, type Half, inMemory, onTheMachine } from "./halves.ts";
import {
  closingLine,
  type Counts,
  countsOf,
  failuresOf,
  foldersOf,
  type FolderTime,
  sumOf,
  tableOf,
} from "./test_report.ts";

const print = (text: string): void => void Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));

/** What a half has come to. */
interface Outcome {
  counts: Counts;
  folders: FolderTime[];
  /** A line for each test that failed. */
  failures: string[];
}

/** Runs the tests of a half, and hands on what they print. */
async function run(half: Half, report: string): Promise<Outcome> {
  const { name, args } = half;
  const elsewhere = `${relative(Deno.cwd(), reports)}/`;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["test", "--no-check", "--no-prompt", "--parallel", `--junit-path=${report}`, ...args],
    env: { DENO_JOBS: Deno.env.get("DENO_JOBS") ?? `${filesAtOnce(half, navigator.hardwareConcurrency)}` },
    stdout: "piped",
  }).spawn();
  let counts: Counts | undefined;
  for await (const line of linesOf(child.stdout)) {
    const closing = countsOf(line);
    counts = closing ?? counts;
    print(closing === undefined ? line.replace(elsewhere, "./") : `${name}: ${line}`);
  }
  const { code } = await child.status;
  const told = await textOf(report);
  return { counts: honest(counts, { code }), folders: foldersOf(told), failures: failuresOf(told) };
}

/** Checks the types of everything, once and for both halves; nothing is done again where nothing has changed. */
async function hasRightTypes(): Promise<boolean> {
  return (await new Deno.Command(Deno.execPath(), { args: ["check", "--quiet"] }).spawn().status).success;
}

/** What is in a file; nothing where it was never written. */
async function textOf(path: string): Promise<string> {
  return await Deno.readTextFile(path).catch(() => "");
}

/** A half that failed has something that failed, whatever it got to say. */
function honest(counts: Counts | undefined, { code }: { code: number }): Counts {
  const said = counts ?? { passed: 0, steps: 0, failed: 0, ignored: 0 };
  return code !== 0 || counts === undefined ? { ...said, failed: Math.max(1, said.failed) } : said;
}

async function* linesOf(output: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let begun = "";
  for await (const text of output.pipeThrough(new TextDecoderStream())) {
    const lines = (begun + text).split("\n");
    begun = lines.pop()!;
    yield* lines;
  }
  if (begun !== "") yield begun;
}

/** Which tests are asked for; words behind "fast" name folders or files, or are arguments of `deno test`. */
async function halvesOf([first, ...rest]: readonly string[]): Promise<Half[]> {
  if (first === undefined) return [await firstHalf([]), onTheMachine];
  return [first === "fast" ? await firstHalf(rest) : { name: "named", args: ["-A", first, ...rest] }];
}

async function firstHalf(words: readonly string[]): Promise<Half> {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const places = words.filter((word) => !word.startsWith("-"));
  const files = (await filesInMemory(root)).filter((file) =>
    places.length === 0 || places.some((place) => `${file}/`.startsWith(`${place.replace(/\/$/, "")}/`))
  );
  const modules = await gather(files, { root, to: reports });
  return {
    ...inMemory,
    args: [...inMemory.args, ...words.filter((word) => word.startsWith("-")), ...modules],
  };
}

const reports = await Deno.makeTempDir({ prefix: "svc-tests-" });
const began = performance.now();
if (Deno.args[0] !== "fast" && await findChromium() === undefined) {
  print("there is no Chromium here: fetching one into dist (70 MB) for the tests of the page");
  await bringChromium().catch((error) => print(`cannot bring a Chromium: ${error.message}`));
}
const outcomes: Outcome[] = [];
if (Deno.args[0] !== "fast" && !await hasRightTypes()) {
  outcomes.push({
    counts: { passed: 0, steps: 0, failed: 1, ignored: 0 },
    folders: [],
    failures: ["failed: the types"],
  });
}
for (const half of await halvesOf(Deno.args)) {
  outcomes.push(await run(half, `${reports}/${outcomes.length}.xml`));
}
await Deno.remove(reports, { recursive: true });

const counts = sumOf(outcomes.map((outcome) => outcome.counts));
print(tableOf(outcomes.flatMap(({ folders }) => folders)).join("\n"));
// Last, so that the end of a long output says what has to be looked at.
for (const failure of outcomes.flatMap(({ failures }) => failures)) print(failure);
print(closingLine(counts, { seconds: (performance.now() - began) / 1000 }));
// Only now it is sure what there is.
const { leftOut } = await import("./needs.ts");
const lacks = leftOut();
if (lacks.length > 0) print(`ignored, since this machine lacks something: ${lacks.join("; ")}`);
Deno.exit(counts.failed === 0 ? 0 : 1);
