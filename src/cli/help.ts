import type { Argument, Command, Help, Option } from "commander";
import type { Entry } from "./catalog.ts";
import type { LoadedCommand } from "./command.ts";
import { wrap } from "./wrap.ts";

/** The help of one command: what it does, its synopsis, its arguments and options by group, its exit codes where they are its own, two examples. */
export function commandHelp(
  entry: Entry,
  { examples, exits = [] }: LoadedCommand,
  columns: number,
): (command: Command, help: Help) => string {
  return (command, help) => {
    const argumentTerms = help.visibleArguments(command).map((argument) =>
      [help.argumentTerm(argument), aboutOf(argument)] as const
    );
    const own = "Options:";
    const groups = new Map<string, (readonly [string, string])[]>([[own, []]]);
    for (const option of help.visibleOptions(command)) {
      const heading = option.helpGroupHeading ?? own;
      const known = groups.get(heading) ?? [];
      known.push([help.optionTerm(option), aboutOf(option)]);
      groups.set(heading, known);
    }
    const width = Math.max(
      ...[...argumentTerms, ...[...groups.values()].flat()].map(([term]) => term.length),
    );
    return [
      entry.summary,
      "",
      "Usage:",
      `  svc ${entry.name} ${command.usage()}`.trimEnd(),
      ...section("Arguments:", argumentTerms, { width, columns }),
      ...[...groups].flatMap(([heading, terms]) => section(heading, terms, { width, columns })),
      ...exitCodes(exits, columns),
      "",
      "Examples:",
      ...examples.map((example) => `  ${example}`),
      "",
    ].join("\n");
  };
}

/** What an argument or option is for, with what may stand there and what does otherwise. */
function aboutOf({ description, argChoices, defaultValue }: Argument | Option): string {
  const choices = argChoices === undefined ? "" : `: ${listed(argChoices)}`;
  const byDefault = ["string", "number"].includes(typeof defaultValue) ? ` (else ${defaultValue})` : "";
  return description + choices + byDefault;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

/** The help of the program: all commands by group. */
export function rootHelp(catalog: readonly Entry[], columns: number): string {
  const width = Math.max(...catalog.map(({ name }) => name.length));
  const groups = [...new Set(catalog.map(({ group }) => group))];
  return [
    "Run tasks by schedule and keep services up",
    "",
    "Usage:",
    "  svc <command> [options]",
    ...groups.flatMap((group) =>
      section(
        `${group}:`,
        catalog.filter((entry) => entry.group === group).map(({ name, summary }) => [name, summary] as const),
        { width, columns },
      )
    ),
    "",
    ...wrap(
      'Flags that say where the daemon is stand before or after the command; "svc <command> --help" names them.',
      Math.min(columns, widest + 10),
    ),
    ...exitCodes(
      [
        ["0", "done"],
        ["1", "failed or refused"],
        ["2", "the words make no sense"],
        ["3", "no daemon could be reached"],
      ],
      columns,
    ),
    "",
    "Examples:",
    "  svc demo",
    "  svc list --help",
    "",
  ].join("\n");
}

function exitCodes(exits: readonly (readonly [string, string])[], columns: number): string[] {
  const width = Math.max(...exits.map(([code]) => code.length));
  return section("Exit codes:", exits, { width, columns });
}

/** The most columns that a help takes. */
const widest = 100;
/** What a term is about stands below it where there would be less room beside it. */
const leastRoom = 24;

function section(
  heading: string,
  terms: readonly (readonly [string, string])[],
  { width, columns }: { width: number; columns: number },
): string[] {
  if (terms.length === 0) return [];
  const room = Math.min(widest, columns) - width - 4;
  const lines = terms.flatMap(([term, text]) => {
    if (room < leastRoom) {
      return [
        `  ${term}`,
        ...wrap(text, Math.max(10, columns - 6)).map((line) => `      ${line}`),
      ];
    }
    return wrap(text, room).map((line, i) => `  ${(i === 0 ? term : "").padEnd(width)}  ${line}`.trimEnd());
  });
  return ["", heading, ...lines];
}
