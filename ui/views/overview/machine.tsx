import { type Signal, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { sizeWords } from "../../../src/core/size.ts";
import type { MetricsSampleJson, SystemSampleEventJson } from "../../../src/http/schemas/system.ts";
import { Sparkline } from "../../charts/sparkline.tsx";
import { get } from "../../net/api.ts";
import { isGap, onEvents } from "../../net/events.ts";

/** An hour of a sample every 5 s. */
const most = 720;

/** Samples after some more came; each moment once, the oldest dropped. */
export function addSamples(
  known: readonly MetricsSampleJson[],
  more: readonly MetricsSampleJson[],
): MetricsSampleJson[] {
  const last = known.at(-1)?.ts ?? 0;
  return [...known, ...more.filter(({ ts }) => ts > last)].slice(-most);
}

/** What the machine does: its processors and memory over the last hour. */
export function Machine({ samples }: { samples: readonly MetricsSampleJson[] }) {
  const last = samples.at(-1);
  return (
    <div class="body overview-machine">
      <Sparkline
        label="CPU"
        values={samples.map(({ cpu }) => cpu)}
        now={last === undefined ? "" : `${Math.round(last.cpu)} %`}
      />
      <Sparkline
        label="Memory"
        values={samples.map(({ mem }) => mem)}
        now={last === undefined ? "" : `${sizeWords(last.mem_used)} of ${sizeWords(last.mem_total)}`}
      />
    </div>
  );
}

const samples: Signal<readonly MetricsSampleJson[]> = signal([]);

/** The same, kept true by events. */
export function LiveMachine() {
  useEffect(() => {
    const load = (): Promise<void> =>
      get("/api/system/metrics")
        .then((answer) => void (samples.value = answer.samples.slice(-most)), () => {});
    void load();
    return onEvents((events) => {
      if (events.some(isGap)) void load();
      const more = events.filter(({ name }) => name === "system.sample")
        .map(({ data }) => (JSON.parse(data) as SystemSampleEventJson).sample);
      if (more.length > 0) samples.value = addSamples(samples.value, more);
    });
  }, []);
  return <Machine samples={samples.value} />;
}
