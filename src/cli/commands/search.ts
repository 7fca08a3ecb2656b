import { timeWords } from "../../core/time_words.ts";
import type { LogHitJson } from "../../http/schemas/log.ts";
import type { Client } from "../client.ts";
import { type Context, countOption, defineCommand, writeJson, writeLines } from "../command.ts";
import { exit, UsageError } from "../failures.ts";
import { printableLine } from "../printable.ts";

interface Options {
  task?: string;
  run?: string;
  regex?: boolean;
  case?: boolean;
  limit: number;
  utc?: boolean;
}

/** `svc search TEXT`: lines of logs that hold a text, newest run first. */
export const command = defineCommand<Options>({
  needs: "client",
  define: (command) =>
    command.argument("<TEXT>", "what to look for, upper and lower case alike")
      .option("--task <NAME>", "in runs of this unit")
      .option("--run <ID>", "in this run")
      .option("--regex", "TEXT is a regular expression (RE2)")
      .option("--case", "upper and lower case differ")
      .addOption(
        countOption("-n, --limit <N>", "show at most this many", { min: 1, max: 100_000 }).default(100),
      )
      .option("--utc", "exact times, in UTC"),
  examples: ["svc search 'connection refused'", "svc search --regex 'status=5\\d\\d' --task web"],
  exits: [["0", "done, also where no line matches"]],
  async run(context, { args, options }) {
    const text = args[0] ?? "";
    if (text === "") throw new UsageError('TEXT is "": give something to search for');
    const client = await context.connect();
    const { hits, isComplete } = await search(client, text, options);
    if (context.flags.json) {
      writeJson(context, { hits, exhausted: isComplete });
      return exit.done;
    }
    await show(context, { client, hits, utc: options.utc ?? false });
    if (hits.length === 0) context.terminal.err.write("svc: no line matches\n");
    else if (!isComplete) context.terminal.err.write("svc: there may be more: --limit shows them\n");
    return exit.done;
  },
});

/** Goes on until there are enough, or no more. */
async function search(
  client: Client,
  text: string,
  options: Options,
): Promise<{ hits: LogHitJson[]; isComplete: boolean }> {
  const hits: LogHitJson[] = [];
  let cursor = "";
  do {
    const found = await client.search({
      q: text,
      regex: options.regex ?? false,
      case: options.case ?? false,
      limit: Math.min(largestPage, options.limit - hits.length),
      cursor,
      ...(options.run === undefined ? {} : { run_id: options.run.toUpperCase() }),
    }, options.task);
    for (const hit of found.hits ?? []) hits.push(hit);
    cursor = found.next_cursor ?? "";
  } while (cursor !== "" && hits.length < options.limit);
  return { hits, isComplete: cursor === "" };
}

/** The most hits that one answer of the API holds. */
const largestPage = 1000;

/** Hits under a line for each run. */
async function show(
  context: Context,
  { client, hits, utc }: { client: Client; hits: readonly LogHitJson[]; utc: boolean },
): Promise<void> {
  const { out: style, terminal, timezone } = context;
  const now = context.now();
  let shown = "";
  for (const { run_id, n, stream, text, ts } of hits) {
    if (run_id !== shown) {
      const { task_name } = await client.getRun(run_id);
      const head = `${style.paint(task_name, "bold")} ${run_id}`;
      writeLines(context, [`${head}  ${style.paint(timeWords(ts, { now, timezone, utc }), "muted")}`]);
      shown = run_id;
    }
    const line = terminal.out.isTerminal ? printableLine(text) : text;
    const number = style.paint(String(n).padStart(7), "muted");
    terminal.out.copy(`${number}  ${stream === "system" ? style.paint(line, "italic") : line}\n`);
  }
}
