/** Acts of the programs that control what is imported: those that start, stop, or ask. */
const acts =
  /^(?:(?:re)?start|stop|try-restart|reload|reload-or-restart|try-reload-or-restart|force-reload|kill|status|is-active|isolate|signal|delete|resurrect)$/;

/**
 * Notes for a script that controls units by the program that they come from, where these are imported along with it:
 * `nameOf` knows what a word stands for.
 */
export function controlNotes(
  run: string,
  { program, nameOf }: { program: string; nameOf: (word: string) => string | undefined },
): string[] {
  const found = new Map<string, string>();
  for (
    const [, rest = ""] of run.slice(0, 20_000).matchAll(new RegExp(`\\b${program}\\b([^;&|\\n]*)`, "g"))
  ) {
    const words = rest.split(/[\s'"]+/).filter((word) => word !== "" && !word.startsWith("-"));
    const act = words.find((word) => acts.test(word));
    if (act === undefined) continue;
    for (const word of words.slice(words.indexOf(act) + 1)) {
      const name = nameOf(word);
      if (name !== undefined) found.set(`${act} ${word}`, `svc ${ours.get(act) ?? "restart"} ${name}`);
    }
  }
  return [...found].map(([theirs, command]) =>
    `it calls "${program} ${theirs}", which is imported as well and would run twice: "${command}" is about the one here`
  );
}

const ours: ReadonlyMap<string, string> = new Map([
  ["start", "start"],
  ["stop", "stop"],
  ["kill", "stop"],
  ["delete", "stop"],
  ["status", "status"],
  ["is-active", "status"],
]);
