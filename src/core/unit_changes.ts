/** What a new unit of systemd does otherwise than the one that it takes the place of, in words. */

/** What the lines of a unit mean to those who use it, by their names. */
const meanings: Readonly<Record<string, string>> = {
  Description: "what it is called",
  DelegateSubgroup: "where the daemon is, so that what it runs can stay where it is",
  Environment: "its variables",
  EnvironmentFile: "the file of its variables",
  ExecReload: "how it is reloaded",
  ExecStart: "how the daemon is started",
  ExecStopPost: "what ends the rest of what ran after a stop",
  KillMode: "who is ended when the daemon ends",
  LimitNOFILE: "how many files it may have open",
  Restart: "when the next daemon is started",
  RestartForceExitStatus: "the next daemon is started after a handover",
  RestartSec: "how long the next daemon waits",
  SuccessExitStatus: "a handover is no failure",
  TimeoutStartSec: "how long a start may take",
  TimeoutStopSec: "how long a stop may take",
  WatchdogSec: "how long the daemon may be silent",
  WorkingDirectory: "its data folder",
};

/** Lines that differ, one sentence each: "KEY: MEANING: NEW, was OLD"; none where the texts say the same. */
export function unitChanges(old: string, next: string): string[] {
  const [before, after] = [settings(old), settings(next)];
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  return keys.flatMap((key) => {
    const [was, is] = [before.get(key), after.get(key)].map(short);
    if (before.get(key) === after.get(key)) return [];
    const meaning = meanings[key] === undefined ? "" : ` (${meanings[key]})`;
    if (is === undefined) return [`${key}${meaning} is left out; it was ${was}`];
    return [
      was === undefined ? `${key}${meaning} is new: ${is}` : `${key}${meaning} is now ${is}; it was ${was}`,
    ];
  });
}

/** No more of a value is shown, characters. */
const longest = 100;

function short(value: string | undefined): string | undefined {
  return value === undefined || value.length <= longest ? value : `${value.slice(0, longest - 3)}...`;
}

/** The values of a unit by their keys; several of one key are joined. */
function settings(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, key = "", value = ""] of text.matchAll(/^(\w+)=(.*)$/gm)) {
    const before = found.get(key);
    found.set(key, before === undefined ? value : `${before}; ${value}`);
  }
  return found;
}
