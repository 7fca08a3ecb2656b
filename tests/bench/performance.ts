import type { Figure } from "./figures.ts";

/** What one benchmark has found. */
export interface Found {
  bench: string;
  figures: readonly Figure[];
}

/** The machine and the day of a measurement. */
export interface Where {
  cores: number;
  /** Bytes. */
  memory: number;
  kernel: string;
  deno: string;
  /** How many processes wanted to run before it began, in the mean of a minute. */
  load: number;
  /** YYYY-MM-DD. */
  date: string;
}

/** `docs/performance.md`: all figures with their targets, and what stands beside others as tables. */
export function performancePage(found: readonly Found[], where: Where): string {
  const beside = found.filter(({ figures }) => figures.some(isBeside));
  const rows = found.flatMap(({ bench, figures }) =>
    figures.filter((figure) => !isBeside(figure) || figure.target !== undefined).map((figure) => ({
      bench,
      ...figure,
    }))
  );
  return [
    "# Performance",
    `Written by \`deno task bench --docs\`, never by hand, on ${where.date}: ${where.cores} cores, ${
      (where.memory / 1e9).toFixed(0)
    } GB of memory, Linux ${where.kernel}, Deno ${where.deno}, load ${
      where.load.toFixed(1)
    } before it began. Figures are of that machine on that day; what counts is how they stand to each other, since all of a comparison is measured in one run.`,
    ...beside.map((one) => `${headings[one.bench] ?? `## ${one.bench}`}\n\n${besideTable(one.figures)}`),
    "## All figures and their targets\n\nWhat is measured as a ratio (×) has its baseline in the same run.",
    plainTable(rows),
  ].join("\n\n") + "\n";
}

/** Why a table stands there, and what its figures are. */
const headings: Readonly<Record<string, string>> = {
  compare: `## Beside pm2, supervisord and cron

Each is started, used and killed in the same way, one after another. Memory is that of all processes of the
manager, without the services themselves: PSS counts what several processes share once, RSS each time. svc is
\`dist/svc\`, with its page, API and database; pm2 is driven by its programmatic API, supervisord by XML-RPC.
\`@reboot\` jobs stand for services of cron, which watches over none. After a crash svc waits for
\`restart_delay\`, 1 s unless told otherwise; supervisord looks at its processes once a second, pm2 at once.`,
  units: "## How costs grow with the units",
  history: "## How costs grow with the history",
};

function isBeside({ of }: Figure): boolean {
  return of !== undefined;
}

/** A row for each figure, a column for each that it was measured of. */
function besideTable(all: readonly Figure[]): string {
  const figures = all.filter((figure) => isBeside(figure) && !Number.isNaN(figure.value));
  const notes = all.filter((figure) => isBeside(figure) && Number.isNaN(figure.value)).map(({ figure, of }) =>
    `${of} was ${figure}.`
  );
  const columns = [...new Set(figures.map(({ of }) => of!))];
  const names = [...new Set(figures.filter(({ unit }) => unit !== "×").map(({ figure }) => figure))];
  const rows = names.map((name) => {
    const cells = columns.map((of) => figures.find((one) => one.figure === name && one.of === of));
    const unit = cells.find((cell) => cell !== undefined)!.unit;
    return [name, unit, ...cells.map((cell) => cell === undefined ? "" : shown(cell.value))];
  });
  const behind = columns.some((of) => of.startsWith("svc ")) ? [behindText(names, figures)] : [];
  return [markdownTable(["", "unit", ...columns], rows), ...behind, ...notes].join("\n\n");
}

/** Where another does better, said by its figures. */
function behindText(names: readonly string[], figures: readonly Figure[]): string {
  const worse = names.flatMap((name) => {
    const row = figures.filter(({ figure }) => figure === name);
    const ours = row.find(({ of }) => of!.startsWith("svc "));
    const isMoreBetter = row[0]!.unit.endsWith("/s");
    const better = row.filter(({ of, value, unit }) =>
      ours !== undefined && !of!.startsWith("svc ") && unit !== "processes" &&
      (isMoreBetter ? value > ours.value : value < ours.value)
    );
    if (better.length === 0) return [];
    const others = better.map(({ of, value }) => {
      const times = isMoreBetter ? value / ours!.value : ours!.value / value;
      return `${of!.split(" ")[0]} ${shown(Number(times.toPrecision(2)))}×`;
    });
    return [`- ${name}: ${others.join(", ")}`];
  });
  return worse.length === 0
    ? "Nowhere is another of them ahead."
    : `Where others are ahead of svc, and by how much:\n\n${worse.join("\n")}`;
}

function plainTable(rows: readonly (Figure & { bench: string })[]): string {
  return markdownTable(
    ["bench", "figure", "value", "target"],
    rows.map(({ bench, figure, of, value, unit, target, pass }) => [
      bench,
      of === undefined ? figure : `${figure}, ${of}`,
      `${shown(value)} ${unit}`,
      target === undefined ? "" : `${target}: ${pass ? "met" : "**missed**"}`,
    ]),
  );
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const escaped = rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  return [line(head), line(head.map(() => "---")), ...escaped.map(line)].join("\n");
}

/** A figure as a reader wants it: three digits that count, or whole numbers. */
export function shown(value: number): string {
  if (Number.isNaN(value)) return "";
  return value >= 100 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(3)));
}
