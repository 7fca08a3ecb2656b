import type { UsageReading } from "./usage.ts";

/**
 * The file of a keeper: what the shell reads that a run is the child of, and what a later daemon reads to know the run
 * (docs/decisions/keepers.md). It lies at `keeperPath`, mode 0600, and is written before the keeper is started:
 *
 *   128 bytes            the record: blanks, over which the keeper writes what happens, so that a full disk can't keep it from that
 *   # svc-keeper 1 JSON  whose it is: `KeeperWords`
 *   # about BASE64       what the daemon that started it wants the next one to know
 *   ...                  the script
 */

/** Version of the file. */
export const keeperVersion = 1;
/** Length of the record, bytes. */
export const recordBytes = 128;

/** Whose a keeper is. */
export interface KeeperWords {
  runId: string;
  /** The random word that stands in the run's row, too. */
  nonce: string;
  /** As `KeepOrder.isLong`. */
  isLong: boolean;
  /** Where its file was written: a copy of it lies elsewhere, and speaks for nobody. */
  folder?: string;
  /** Where the launcher leaves word; see `LaunchPlace.noteFolder`. */
  note?: string;
  /** Number of the run's user, where that is another than the daemon's. */
  owner?: number;
  group?: KeptGroup;
}

/** The control group that a run is in. */
export interface KeptGroup {
  name: string;
  /** Folder of the tree by which groups are watched. */
  tree: string;
  /** What it had counted when the run got it. */
  counted?: UsageReading;
}

/** What a keeper has written down so far. */
export interface KeeperRecord {
  /** Its own pid, and the pid and start (ticks after boot) of the run; all or none. */
  keeper?: number;
  pid?: number;
  ticks?: string;
  /** Exit code of the run as a shell gives it. */
  end?: number;
  /** It could not enter the run's working folder. */
  isShutOut?: boolean;
}

/** All that a keeper's file says. */
export interface KeeperFile {
  words: KeeperWords;
  about: string;
  record: KeeperRecord;
}

/** Where a run's keeper has its file. */
export function keeperPath(folder: string, runId: string): string {
  return `${folder}/${runId}`;
}

/** The FIFO by which keepers call the daemon. */
export function bellPath(folder: string): string {
  return `${folder}/bell`;
}

/** The last line of a file that was written to its end. */
const lastLine = "# whole\n";

/** Text of a keeper's file. `script` is what `keeperScript` makes. */
export function keeperText(words: KeeperWords, { about, script }: { about: string; script: string }): string {
  const head = `# svc-keeper ${keeperVersion} ${JSON.stringify(words)}\n# about ${toBase64(about)}\n`;
  return `${" ".repeat(recordBytes - 1)}\n${head}${script}${lastLine}`;
}

/** Reads a keeper's file; `why`: it is none, or none that can be read, in a few words. */
export function parseKeeper(text: string): KeeperFile | { why: string } {
  const [first, second] = linesBehindRecord(text);
  const head = /^# svc-keeper (\d+) (.*)$/.exec(first);
  if (head === null) return { why: "it is no keeper's file" };
  if (Number(head[1]) !== keeperVersion) return { why: `it is of another version (${head[1]})` };
  if (!text.endsWith(`\n${lastLine}`)) return { why: "it is not whole" };
  const words = parseWords(head[2]!);
  const about = /^# about ([A-Za-z0-9+/]*=*)$/.exec(second);
  const known = about === null ? undefined : fromBase64(about[1]!);
  if (words === undefined || known === undefined) return { why: "it is damaged" };
  return { words, about: known, record: parseRecord(text.slice(0, recordBytes)) };
}

/** Reads the record at the beginning of a keeper's file. Lines that are not whole are passed over. */
export function parseRecord(text: string): KeeperRecord {
  const record: KeeperRecord = {};
  for (const line of text.slice(0, text.lastIndexOf("\n") + 1).split("\n")) {
    const pid = /^#pid ([1-9]\d{0,9}) ([1-9]\d{0,9}) (\d{1,20})$/.exec(line);
    if (pid !== null) {
      Object.assign(record, { keeper: Number(pid[1]), pid: Number(pid[2]), ticks: pid[3] });
    }
    const end = /^#end (\d{1,3})$/.exec(line);
    if (end !== null) record.end = Number(end[1]);
    if (line === "#shut out") record.isShutOut = true;
  }
  return record;
}

function linesBehindRecord(text: string): [string, string] {
  const from = recordBytes;
  const first = text.indexOf("\n", from);
  const second = first < 0 ? -1 : text.indexOf("\n", first + 1);
  if (second < 0) return [first < 0 ? "" : text.slice(from, first), ""];
  return [text.slice(from, first), text.slice(first + 1, second)];
}

function parseWords(json: string): KeeperWords | undefined {
  try {
    const words: unknown = JSON.parse(json);
    return isWords(words) ? words : undefined;
  } catch {
    return undefined;
  }
}

function isWords(value: unknown): value is KeeperWords {
  if (typeof value !== "object" || value === null) return false;
  const { runId, nonce, isLong, folder, note, owner, group } = value as Record<string, unknown>;
  const isName = (text: unknown): boolean => typeof text === "string" && text !== "";
  return isName(runId) && isName(nonce) && typeof isLong === "boolean" &&
    (folder === undefined || isName(folder)) && (note === undefined || isName(note)) &&
    (owner === undefined || Number.isInteger(owner)) &&
    (group === undefined || isGroup(group));
}

function isGroup(value: unknown): value is KeptGroup {
  if (typeof value !== "object" || value === null) return false;
  const { name, tree, counted } = value as Record<string, unknown>;
  // Both become parts of paths.
  return typeof name === "string" && /^\w+$/.test(name) && typeof tree === "string" && tree.startsWith("/") &&
    (counted === undefined || (typeof counted === "object" && counted !== null));
}

function toBase64(text: string): string {
  return new TextEncoder().encode(text).toBase64();
}

function fromBase64(text: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.fromBase64(text));
  } catch {
    return undefined;
  }
}
