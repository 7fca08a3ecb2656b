import { bad, type Finding, ok, warn } from "./finding.ts";

/** Something that a unit names and that can't be had; the message says what to do after its last colon. */
export interface UnitTrouble {
  unit: string;
  key: "shell" | "working_dir" | "user";
  message: string;
  /** It may be well for the daemon's user: the one who looks may not. */
  isHidden: boolean;
}

/** Whether what units name is there: a finding for each thing that isn't, with all units that name it. */
export function judgeUnits(count: number, troubles: readonly UnitTrouble[]): Finding[] {
  const byMessage = new Map<string, UnitTrouble[]>();
  for (const trouble of troubles) {
    byMessage.set(trouble.message, [...byMessage.get(trouble.message) ?? [], trouble]);
  }
  if (byMessage.size === 0) {
    return [ok("units", count === 0 ? "none" : "shells, folders and users that they name are there")];
  }
  return [...byMessage].map(([message, of]) => {
    const at = message.lastIndexOf(": ");
    const [seen, advice] = at < 0
      ? [message, `change ${of[0]!.key}`]
      : [message.slice(0, at), message.slice(at + 2)];
    const names = of.map(({ unit }) => unit);
    const where = names.length > 3
      ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`
      : names.join(", ");
    return (of[0]!.isHidden ? warn : bad)("units", `${seen} (${of[0]!.key} of ${where})`, advice);
  });
}
