import { catalog } from "../catalog.ts";
import { type Context, defineCommand, writeLines } from "../command.ts";
import { type Ask, completeCommand, optionsOf, startingWith } from "../completion/complete.ts";
import { cursorAt, firstOperand } from "../completion/cursor.ts";
import { type Reply, replyLines, type Shell, shells } from "../completion/reply.ts";
import { brokenOff, wordsOf } from "../completion/words.ts";
import { exit } from "../failures.ts";
import { commandParser, rootParser } from "../parser.ts";
import { sleep } from "../sleep.ts";

/** Who types waits no longer than this for a daemon, ms. */
const patience = 1_000;

/**
 * What the scripts of shells call: `__complete zsh|fish WORD...`, the last word being the one at the cursor, or
 * `__complete bash LINE BREAKS`. It never fails, and says nothing where it knows nothing.
 */
export const command = defineCommand({
  needs: "client",
  examples: ["svc __complete bash 'svc lis' ''", "svc __complete zsh lis"],
  async run(context, { args: [shell, ...rest] }) {
    if (!isShell(shell)) return exit.usage;
    const words = shell === "bash" ? wordsOf(rest[0] ?? "").slice(1) : rest;
    const cut = shell === "bash" ? brokenOff(words.at(-1) ?? "", rest[1] ?? "") : 0;
    try {
      writeLines(context, replyLines(await reply(context, words), shell, cut));
    } catch {
      // Nobody wants to be told of an error while typing.
    }
    return exit.done;
  },
});

async function reply(context: Context, words: readonly string[]): Promise<Reply> {
  const nowhere = { write: () => {}, width: Infinity };
  const root = rootParser(nowhere);
  const at = firstOperand(root, words);
  if (at < 0 || (words[at] === "help" && words.length === at + 2)) return await replyBefore(root, words);
  const entry = catalog.find(({ name }) => name === words[at]);
  if (entry === undefined) return { kind: "words", words: [] };
  const parser = commandParser(entry, await entry.load(), nowhere);
  const behind = words.slice(at + 1);
  const given = new Map([
    ...cursorAt(root, [...words.slice(0, at), ""]).given,
    ...cursorAt(parser, behind).given,
  ]);
  return await completeCommand({ name: entry.name, parser, ask: askerOf(context, given) }, behind);
}

/** Before a command there are its name, and the options of all. */
async function replyBefore(root: ReturnType<typeof rootParser>, words: readonly string[]): Promise<Reply> {
  const current = words.at(-1) ?? "";
  const before = words[0] === "help" ? [current] : words;
  const { wanted } = cursorAt(root, before);
  if (wanted.what === "option") {
    return { kind: "words", words: startingWith(current, optionsOf(root, wanted.used)) };
  }
  // "words..." of the root parser is the command; everything else is the value of an option.
  if (wanted.kind !== "words") {
    return await completeCommand({ name: "", parser: root, ask: () => Promise.resolve(undefined) }, before);
  }
  const commands = [...catalog, help].map(({ name, summary }) => ({ word: name, about: summary }));
  return { kind: "words", words: startingWith(current, commands) };
}

/** It is no command of its own. */
const help = { name: "help", summary: "Show the help of a command" };

/** Asks the daemon that the flags mean; undefined where it doesn't answer soon. */
function askerOf(context: Context, given: ReadonlyMap<string, string>): Ask {
  for (const name of ["config", "data", "socket", "host", "url"] as const) {
    const value = given.get(name);
    if (value !== undefined) context.flags[name] = value;
  }
  const port = given.get("port");
  if (port !== undefined) context.flags.port = Number(port);
  return async (question) => {
    const client = await context.connect();
    const answered = new AbortController();
    try {
      return await Promise.race([question(client), sleep(patience, answered.signal).then(() => undefined)]);
    } finally {
      answered.abort();
    }
  };
}

function isShell(text: string | undefined): text is Shell {
  return shells.some((shell) => shell === text);
}
