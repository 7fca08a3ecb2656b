import type { SystemSample } from "../core/system_sample.ts";
import { durationWords } from "../core/time_words.ts";
import type { MetricsSampleJson, SystemSampleEventJson } from "./schemas/system.ts";

/** A sample of the machine's load. */
export function sampleJson({ at, cpu, mem, memTotal, memUsed }: SystemSample): MetricsSampleJson {
  return { ts: at, cpu, mem, mem_total: memTotal, mem_used: memUsed };
}

/** What a `system.sample` event tells; `uptime` is in ms. */
export function sampleEventJson(news: { sample: SystemSample; uptime: number }): SystemSampleEventJson {
  return { sample: sampleJson(news.sample), uptime: durationWords(news.uptime) };
}
