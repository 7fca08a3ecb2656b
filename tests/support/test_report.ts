/** What `deno test` says of its tests, read and put together: pure. */

/** How many tests there were, and how they ended. */
export interface Counts {
  passed: number;
  steps: number;
  failed: number;
  ignored: number;
}

/** The tests that lie in one folder, without those of folders in it. */
export interface FolderTime {
  folder: string;
  tests: number;
  /** Sum over its tests, s; files run beside each other. */
  seconds: number;
}

/** Reads the closing line of `deno test`, with colours or without; undefined for any other line. */
export function countsOf(line: string): Counts | undefined {
  // deno-lint-ignore no-control-regex -- the colours are control characters
  const plain = line.replace(/\x1b\[[\d;]*m/g, "");
  if (!/^(ok|FAILED) \| \d+ passed/.test(plain)) return undefined;
  const count = (pattern: RegExp): number => Number(pattern.exec(plain)?.[1] ?? 0);
  return {
    passed: count(/\| (\d+) passed/),
    steps: count(/passed \((\d+) steps?\)/),
    failed: count(/\| (\d+) failed/),
    ignored: count(/\| (\d+) ignored/),
  };
}

/** All of them together. */
export function sumOf(all: readonly Counts[]): Counts {
  const sum: Counts = { passed: 0, steps: 0, failed: 0, ignored: 0 };
  for (const counts of all) {
    for (const key of ["passed", "steps", "failed", "ignored"] as const) sum[key] += counts[key];
  }
  return sum;
}

/** A closing line in the words of `deno test`, which `.ci/run` reads. */
export function closingLine({ passed, steps, failed, ignored }: Counts, took: { seconds: number }): string {
  return [
    failed === 0 ? "ok" : "FAILED",
    `${passed} passed${steps === 0 ? "" : ` (${steps} steps)`}`,
    `${failed} failed`,
    ...(ignored === 0 ? [] : [`${ignored} ignored`]),
  ].join(" | ") + ` (${timeOf(took.seconds)})`;
}

/** Folders in a report as `--junit-path` has it written. */
export function foldersOf(report: string): FolderTime[] {
  const folders = new Map<string, FolderTime>();
  for (const suite of report.split("<testsuite ").slice(1)) {
    // Modules that gather a folder stand elsewhere, below a "tests" of their own.
    const folder = /^name="(?:[^"]*\/)?(tests\b[^"]*)\/[^"/]*"/.exec(suite)?.[1] ?? ".";
    const sum = folders.get(folder) ?? { folder, tests: 0, seconds: 0 };
    folders.set(folder, sum);
    const names = new Set<string>();
    for (const [, name, time] of suite.matchAll(/<testcase name="([^"]*)"[^>]* time="([\d.]+)"/g)) {
      // The time of a step is part of its test's.
      if (isStep(name!, names)) continue;
      names.add(name!);
      sum.tests++;
      sum.seconds += Number(time);
    }
  }
  return [...folders.values()];
}

/** A line for each test that failed, from the same report: its name, its place, and the first of what it said. */
export function failuresOf(report: string): string[] {
  const failed =
    /<testcase name="([^"]*)" classname="([^"]*)"[^>]* line="(\d+)"[^>]*>\s*<failure message="([^"]*)"/g;
  return [...report.matchAll(failed)].map(([, name, file, line, message]) => {
    const said = plainOf(message!).replace(/\s+/g, " ").trim();
    return `failed: ${plainOf(name!)} (${file}:${line}): ${
      said.length > 400 ? `${said.slice(0, 400)}…` : said
    }`;
  });
}

/** Lines of a table, what took longest first; a folder with tests of both halves is one line. */
export function tableOf(all: readonly FolderTime[]): string[] {
  const folders = new Map<string, FolderTime>();
  for (const { folder, tests, seconds } of all) {
    const before = folders.get(folder);
    folders.set(folder, {
      folder,
      tests: tests + (before?.tests ?? 0),
      seconds: seconds + (before?.seconds ?? 0),
    });
  }
  const rows = [...folders.values()].sort((a, b) => b.seconds - a.seconds || (a.folder < b.folder ? -1 : 1));
  const line = (...[time, tests, folder]: string[]): string =>
    `${time!.padStart(9)} ${tests!.padStart(6)}  ${folder}`;
  return [
    line("seconds", "tests", "folder"),
    ...rows.map(({ folder, tests, seconds }) => line(seconds.toFixed(1), `${tests}`, folder)),
  ];
}

/** "42s", "9m30s". */
function timeOf(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole}s` : `${Math.floor(whole / 60)}m${whole % 60}s`;
}

/** Text as it was before it was written for XML. */
function plainOf(written: string): string {
  const signs: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
  return written.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => signs[name]!);
}

/** Steps come after their test, as "its name > its own", written for XML. */
function isStep(name: string, tests: ReadonlySet<string>): boolean {
  const sign = " &gt; ";
  for (let at = name.indexOf(sign); at >= 0; at = name.indexOf(sign, at + 1)) {
    if (tests.has(name.slice(0, at))) return true;
  }
  return false;
}
