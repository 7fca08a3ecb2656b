import { relativeTime, roughWords, utcTime } from "../../core/time_words.ts";
import { needsAttention, type Word } from "../../core/words.ts";
import type { TaskResponseJson } from "../../http/schemas/unit.ts";
import { type Context, defineCommand, writeJson, writeLines } from "../command.ts";
import { exit } from "../failures.ts";
import { pickUnits } from "../pick_units.ts";
import { refusingLines } from "../refusal_watch.ts";
import type { Style } from "../style.ts";
import { type Cell, type Column, renderTable } from "../table.ts";
import { msOf, scheduleWords, wordOfRun, wordOfUnit } from "../unit_words.ts";

interface Options {
  failing?: boolean;
  utc?: boolean;
}

/** `svc list`: the table of all units. */
export const command = defineCommand<Options>({
  needs: "client",
  define: (command) =>
    command.argument("[NAME|GLOB...]", "only these")
      .option("--failing", "only units that need attention")
      .option("--utc", "exact times, in UTC"),
  examples: ["svc list", "svc list 'web-*' --json"],
  async run(context, { args, options }) {
    const client = await context.connect();
    const [all, daemon] = await Promise.all([client.units(), client.daemon()]);
    const picked = args.length === 0 ? all : pickUnits(all, args);
    const units = options.failing ? picked.filter((unit) => needsAttention(wordOfUnit(unit))) : picked;
    const { refusing } = daemon;
    if (context.flags.json) writeJson(context, { units, ...(refusing === undefined ? {} : { refusing }) });
    else {
      const head = refusingLines(daemon, context);
      const table = unitTable(units, { context, utc: options.utc ?? false });
      writeLines(context, [...head, ...(head.length === 0 ? [] : [""]), ...table]);
    }
    return exit.done;
  },
});

/** The state goes last, since the mark tells it too. */
const columns: readonly Column[] = [
  { title: "", rank: 0 },
  { title: "UNIT", rank: 0 },
  { title: "STATE", rank: 1 },
  { title: "SCHEDULE", rank: 4, least: 16 },
  { title: "LAST", rank: 3 },
  { title: "NEXT", rank: 2 },
];

function unitTable(
  units: readonly TaskResponseJson[],
  { context, utc }: { context: Context; utc: boolean },
): string[] {
  const { out: style, terminal, timezone } = context;
  const now = context.now();
  const rows = units.map((unit): Cell[] => {
    const word = wordOfUnit(unit);
    return [
      { text: style.markNamed(word.mark), role: word.role },
      unit.name,
      { text: word.text, role: word.role },
      scheduleWords(unit, timezone),
      lastCell(unit, { now, utc, style }),
      nextCell(unit, { now, utc, style }),
    ];
  });
  return renderTable(columns, rows, { width: terminal.width, style });
}

interface CellOptions {
  now: number;
  utc: boolean;
  style: Style;
}

function lastCell(unit: TaskResponseJson, { now, utc, style }: CellOptions): Cell {
  const run = unit.last_run;
  if (run === undefined) return style.dash;
  const word: Word = wordOfRun(run);
  const at = msOf(run.end_at ?? run.start_at ?? run.created_at) ?? now;
  if (utc) return `${word.text} ${utcTime(at)}`;
  // Of a service that is up it matters for how long; of everything else, how it went and when.
  if (run.status === "running") {
    return unit.kind === "service" ? roughWords(now - at) : `${word.text} ${roughWords(now - at)}`;
  }
  return `${word.text} ${relativeTime(at, now)}`;
}

function nextCell(unit: TaskResponseJson, { now, utc, style }: CellOptions): Cell {
  const at = msOf(unit.next_run_at);
  if (at === undefined) return style.dash;
  return utc ? utcTime(at) : relativeTime(at, now);
}
