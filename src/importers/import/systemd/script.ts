import { daemonNote } from "../daemons.ts";
import { hasLooseWord, plainWord, shellCommand, shellSigns } from "../words.ts";
import type { Told } from "./told.ts";
import { fixedNote, type Specifiers } from "./specifiers.ts";
import { allOf, type Assignment, type UnitFile } from "./unit_file.ts";
import { type UnitCommand, unitCommands } from "./unit_words.ts";

/** The commands of a service as one script; or why there is none. */
export function scriptOf(
  unit: UnitFile,
  { specifiers, told, env, head, runsOnce }: {
    specifiers: Specifiers;
    told: Told;
    /** The variables that the unit gives. */
    env: ReadonlyMap<string, string>;
    /** Lines that stand in front, and read files of variables. */
    head: readonly string[];
    /** Several commands in a row, and some behind them. */
    runsOnce: boolean;
  },
): { run: string } | { at?: Assignment; why: string } {
  const steps: UnitCommand[] = [];
  for (const key of ["ExecStartPre", "ExecStart", "ExecStartPost"]) {
    const before = steps.length;
    for (const one of allOf(unit, "Service", key)) {
      if (key === "ExecStartPost" && !runsOnce) {
        told.refuse(one, "svc runs nothing behind the start of a service: a task or the script could");
        continue;
      }
      const read = unitCommands(one.value, { specifiers, variables: { env, hasFiles: head.length > 0 } });
      if ("fault" in read) return { at: one, why: `${key}: ${read.fault}` };
      if (read.fixed.length > 0) {
        told.note(one, fixedNote(read.fixed, specifiers));
      }
      for (const command of read.commands) {
        for (const note of [...command.notes, ...commandNotes(command)]) told.note(one, note);
        steps.push(command);
      }
    }
    if (key === "ExecStart") {
      const count = steps.length - before;
      if (count === 0) return { why: "it has no ExecStart" };
      if (count > 1 && !runsOnce) {
        const [, second] = allOf(unit, "Service", key);
        return {
          ...(second === undefined ? {} : { at: second }),
          why: "it has more than one ExecStart, which systemd allows with Type=oneshot only",
        };
      }
    }
  }
  const lines = steps.map(({ words, isIgnored }, at) => {
    const command = shellCommand(words);
    if (isIgnored) return `${command} || true`;
    return at === steps.length - 1 ? `exec ${command}` : command;
  });
  // A shell would make file names of the stars in a variable that it splits.
  const isLoose = steps.some(({ words }) => hasLooseWord(words));
  const run = [...head, ...(isLoose ? ["set -f"] : []), ...lines].join("\n");
  // Without it a path would begin in the root folder.
  const needsFolder = specifiers.isUser && run.includes("${XDG_RUNTIME_DIR}");
  return { run: needsFolder ? `: "\${XDG_RUNTIME_DIR:?}"\n${run}` : run };
}

function commandNotes({ words }: UnitCommand): string[] {
  const signs = shellSigns(words).filter((sign) => sign !== ";").map((sign) => JSON.stringify(sign)).join(
    ", ",
  );
  const daemon = daemonNote(words.map((word) => plainWord(word) ?? ""));
  return [
    ...(signs === "" ? [] : [
      `no shell reads the command, so these reach the program as arguments: ${signs}; in a script of svc they would work`,
    ]),
    ...(daemon === undefined ? [] : [daemon]),
  ];
}
