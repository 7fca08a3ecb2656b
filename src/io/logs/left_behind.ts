import type { Journal } from "../../core/log/journal.ts";
import { isMarkOf } from "../../core/log/mask_mark.ts";
import type { MaskPlan } from "../../core/log/mask_plan.ts";
import { countReplayed } from "../../core/log/replay.ts";
import { messageOf } from "../../fault.ts";
import { cutLog, hasMore } from "./cut.ts";
import { dropJournal, readJournal } from "./journal.ts";

/** What a dead daemon left of a log: the journal to go on from, or what there is to say of what is missing. */
export interface LeftBehind {
  journal?: Journal;
  missing?: string;
}

/**
 * Reads the journal of a log, and cuts the log back to where that begins: all that was written behind comes out of it
 * again, whole, wherever the writer died. The log stays as it is where the journal can't be used; it is removed then.
 */
export function leftBehind(
  folder: string,
  { path, mask }: { path: string; mask: MaskPlan | undefined },
): LeftBehind {
  const journal = readJournal(path);
  if (journal === undefined) return {};
  const why = typeof journal === "string" ? journal : whyUnusable(journal, { folder, mask });
  if (why === undefined && typeof journal !== "string") return { journal };
  dropJournal(path);
  const bytes = typeof journal === "string" ? undefined : journal.outputBytes;
  if (bytes === 0) return {};
  const much = bytes === undefined ? "the last output" : `the last ${bytes} bytes of output`;
  return { missing: `some of ${much} may be missing here: ${why}` };
}

/** Cuts the log where the journal can be used; else says why not. */
function whyUnusable(
  journal: Journal,
  { folder, mask }: { folder: string; mask: MaskPlan | undefined },
): string | undefined {
  const { base } = journal;
  if (!isMarkOf(base.mask, mask)) {
    return "the secrets of its unit are not known any more, so that they can't be masked";
  }
  try {
    const most = countReplayed(journal, mask);
    if (hasMore(folder, { from: base.next, most })) return "the journal is older than the log";
    cutLog(folder, base.next);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
