import { type Refusing, refusingAdvice, refusingClause } from "../refusal.ts";
import { sizeWords } from "../size.ts";
import { bad, type Finding, ok, warn } from "./finding.ts";

/** What was seen of the database. */
export type DatabaseSeen =
  | { state: "missing" }
  /** It could not be looked at, which says nothing about it. */
  | { state: "hidden"; path: string; why: string }
  /** It could not be read. */
  | { state: "unreadable"; path: string; why: string }
  | {
    state: "checked";
    path: string;
    bytes: number;
    /** Of its write-ahead log. */
    logBytes: number;
    /** What a check of its pages found; none where it is whole. */
    damage: readonly string[];
    /** Version of its schema, and the newest that this program knows. */
    schema: number;
    known: number;
    /** The daemon before did not end in order. */
    isUnclean: boolean;
    /** A daemon has it open. */
    isInUse: boolean;
  };

/** A log that grows this far is not written back any more, bytes. */
const largeLog = 256e6;

/** Whether the database is whole, and ours; `refusing` is what its daemon says of it, `now` Unix ms. */
export function judgeDatabase(
  seen: DatabaseSeen,
  { refusing, now }: { refusing?: Refusing | undefined; now: number },
): Finding {
  const check = "database";
  const isDamaged = seen.state === "checked" && seen.damage.length > 0;
  if (refusing !== undefined && !isDamaged) {
    return bad(check, refusingClause(refusing, now), refusingAdvice(refusing.why));
  }
  if (seen.state === "missing") return ok(check, "is not there yet; a daemon makes it");
  if (seen.state === "hidden") {
    return warn(
      check,
      `${seen.path} can't be looked at: ${seen.why}`,
      "run svc as the folder's user or as root, and see to room in the folder for temporary files",
    );
  }
  if (seen.state === "unreadable") {
    return bad(
      check,
      `${seen.path} can't be read: ${seen.why}`,
      'restore a backup with "svc restore FILE", or move it away to begin with an empty history',
    );
  }
  const { path, bytes, damage, schema, known, logBytes, isUnclean, isInUse } = seen;
  if (damage.length > 0) {
    return bad(
      check,
      `${path} is damaged: ${damage.join("; ")}`,
      'stop the daemon, then restore a backup with "svc restore FILE", or move the file away to begin with an empty history',
    );
  }
  if (schema > known) {
    return bad(
      check,
      `${path} was written by a newer svc (schema ${schema}, this one knows ${known})`,
      "use that version, or another data folder",
    );
  }
  if (logBytes > largeLog) {
    return warn(
      check,
      `its write-ahead log has ${sizeWords(logBytes)}: something keeps it from being written back`,
      `end other programs that have ${path} open, then restart the daemon`,
    );
  }
  const text = `whole, ${sizeWords(bytes + logBytes)}, schema ${schema}`;
  if (isUnclean && !isInUse) return ok(check, `${text}; the last daemon did not end in order`);
  return ok(check, schema < known && schema > 0 ? `${text}; the next daemon brings it to ${known}` : text);
}
