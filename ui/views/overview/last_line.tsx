/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { readable } from "../../../src/core/log/plain.ts";
import type { LogLineJson } from "../../../src/http/schemas/run.ts";
import type { Run } from "../../data/runs.ts";
import { get } from "../../net/api.ts";

/** What a run that goes on says is asked for again after so many ms. */
const again = 4000;
const mostKnown = 100;
/** Last lines of runs that have ended. */
const known = new Map<string, string>();

/** The last line that the run itself has written, without what steers a terminal; "" for none. */
export function lastWords(lines: readonly Pick<LogLineJson, "stream" | "text">[]): string {
  const texts = lines.filter(({ stream }) => stream !== "system").map(({ text }) => readable(text));
  return texts.findLast((text) => text !== "") ?? "";
}

/** The last line of output of a run. */
export function LastLine({ run }: { run: Run }) {
  const { id, status } = run;
  const [text, setText] = useState(known.get(id) ?? "");
  useEffect(() => {
    if (status === "pending") return setText("");
    const asked = new AbortController();
    const read = async (): Promise<void> => {
      if (document.hidden) return;
      const page = await get("/api/runs/:runId/log", { runId: id, from: -4, limit: 4 }, asked.signal);
      const text = lastWords(page.lines ?? []);
      setText(text);
      if (status !== "ended") return;
      if (known.size >= mostKnown) known.clear();
      known.set(id, text);
    };
    if (status === "ended" && known.has(id)) setText(known.get(id) ?? "");
    else void read().catch(() => {});
    const timer = status === "ended" ? undefined : setInterval(() => void read().catch(() => {}), again);
    return () => {
      asked.abort();
      clearInterval(timer);
    };
  }, [id, status]);
  return text === "" ? null : <code class="last-line" title={text}>{text}</code>;
}
