/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { DayStrip } from "../../charts/day_strip.tsx";
import { type Bucket, countOutcomes } from "../../charts/outcomes.ts";
import { onRuns } from "../../data/runs.ts";
import { get, wordsOf } from "../../net/api.ts";
import { Failed, Skeleton } from "../../parts/states.tsx";

const quarter = 15 * 60_000;
const dayLong = 24 * 60 * 60_000;
/** After runs have ended the counts are read again, this many ms later at the earliest. */
const together = 3000;

/** How many runs there were, and which share of those that ended by themselves failed. */
export function rateWords({ total, ok, failed }: { total: number; ok: number; failed: number }) {
  const judged = ok + failed;
  const rate = judged === 0 ? undefined : failed / judged;
  return {
    runs: total.toLocaleString("en-GB"),
    rate: rate === undefined
      ? "–"
      : rate === 0
      ? "0 %"
      : rate < 0.001
      ? "< 0.1 %"
      : `${(rate * 100).toFixed(1)} %`,
  };
}

/** The last 24 hours: how many runs, how many failed, and when. */
export function Day() {
  const [state, setState] = useState<{ buckets?: Bucket[]; total?: number; error?: string }>({});
  const [asked, ask] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const gone = new AbortController();
    const { signal } = gone;
    const load = async (): Promise<void> => {
      timer = undefined;
      const now = Date.now();
      const since = new Date(Math.floor(now / quarter) * quarter - dayLong + quarter).toISOString();
      try {
        const [{ buckets }, { total }] = await Promise.all([
          get("/api/runs/histogram", { bucket: "15m", since }, signal),
          get("/api/runs/summary", { since: new Date(now - dayLong).toISOString() }, signal),
        ]);
        setState({ buckets, total });
      } catch (error) {
        if (!signal.aborted) setState((before) => before.buckets ? before : { error: wordsOf(error) });
      }
    };
    const soon = (): void => void (timer ??= setTimeout(load, together));
    void load();
    const stop = onRuns(soon);
    const minutes = setInterval(soon, quarter / 3);
    return () => {
      gone.abort();
      stop();
      clearTimeout(timer);
      clearInterval(minutes);
    };
  }, [asked]);
  if (state.error !== undefined) {
    return <Failed what="the last 24 hours" why={state.error} onRetry={() => ask(asked + 1)} />;
  }
  if (state.buckets === undefined) return <Skeleton rows={3} />;
  const { ok, failed } = countOutcomes(state.buckets);
  const words = rateWords({ total: state.total ?? 0, ok, failed });
  return (
    <div class="body overview-day">
      <dl>
        <div>
          <dt>runs</dt>
          <dd>{words.runs}</dd>
        </div>
        <div>
          <dt>failed</dt>
          <dd>{words.rate}</dd>
        </div>
      </dl>
      <DayStrip buckets={state.buckets} width={quarter} />
    </div>
  );
}
