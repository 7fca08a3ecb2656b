import { streamOf } from "../cli/log_stream.ts";
import { sleep } from "../cli/sleep.ts";
import { Fault, messageOf } from "../fault.ts";
import { pageLines } from "./log_window.ts";
import type { Hands } from "./perform.ts";

/** Before a log is asked for again, ms. */
const betweenTries = 1000;

/** Reads the end of a run's log, then what comes, until the run has ended or the signal. */
export async function followLog(id: string, { api, hear }: Hands, signal: AbortSignal): Promise<void> {
  let next: number | undefined;
  while (!signal.aborted) {
    try {
      if (next === undefined) {
        const page = await api.log(id, { from: -pageLines, limit: pageLines });
        if (signal.aborted) return;
        next = page.total_lines;
        hear({ is: "log page", id, lines: page.lines ?? [], first: page.first_available, total: next });
        if (page.finalized) return hear({ is: "log done", id });
      }
      const parts = streamOf(api, id, { from: next, signal });
      for (let part = await parts.next();; part = await parts.next()) {
        if (signal.aborted) return;
        if (part.done) {
          if (part.value.isDone) return hear({ is: "log done", id });
          break;
        }
        const { lines, regions, dropped } = part.value;
        next = (lines.at(-1)?.n ?? next + dropped - 1) + 1;
        hear({ is: "log", id, lines, ...(regions === undefined ? {} : { regions }) });
      }
    } catch (error) {
      if (signal.aborted) return;
      // That the daemon is away is told elsewhere; a log that is gone won't come back.
      if (error instanceof Fault && (error.code === "not_found" || error.code === "no_route")) {
        return hear({ is: "message", text: messageOf(error), role: "bad" });
      }
    }
    await sleep(betweenTries, signal);
  }
}
