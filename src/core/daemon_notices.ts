import type { Content } from "./notify/outbox.ts";
import type { Happening } from "./notices.ts";
import { formatSize, sizeWords } from "./size.ts";

/** That the disk has less space than the configuration wants to keep free. Sizes are bytes. */
export function happeningOfDisk(
  { free, minFree, at }: { free: number; minFree: number; at: number },
): Happening {
  return {
    ...ofDaemon,
    kind: "log.disk_pressure",
    severity: "error",
    isFailure: true,
    title: "The disk is almost full: output is no longer stored",
    body: [
      `${sizeWords(free)} are free, less than ${formatSize(minFree)} (storage.min_free_space)`,
      "runs go on; what they print is stored again once there is more space",
    ].join("\n"),
    at,
  };
}

/** That what the configuration came from has changed on disk. */
export function happeningOfStaleConfig({ path, at }: { path: string; at: number }): Happening {
  return {
    ...ofDaemon,
    kind: "config.stale",
    severity: "info",
    isFailure: false,
    title: "The configuration has changed on disk",
    body: `what is in force was read from ${path} before that; "svc reload" puts the new one into force`,
    at,
  };
}

/** That messages did not reach a receiver, for good. `channel`: a notifier, or "ping " and a task. */
export function happeningOfGivenUp(
  { channel, contents, why, at }: { channel: string; contents: readonly Content[]; why: string; at: number },
): Happening {
  const isPing = contents.some(({ about }) => about === "ping");
  const who = isPing ? `The dead man's switch of ${channel.replace(/^ping /, "")}` : `Notifier "${channel}"`;
  const titles = contents.map((one) => one.about === "notice" ? one.happening.title : `a ping (${one.what})`);
  const lines = titles.slice(0, mostNamed).map((title) => `not told: ${title}`);
  return {
    ...ofDaemon,
    kind: "notify.delivery_failed",
    reason: channel,
    severity: "error",
    isFailure: true,
    title: `${who} could not be told`,
    body: [why, ...lines, ...titles.length > mostNamed ? [`and ${titles.length - mostNamed} more`] : []]
      .join("\n"),
    at,
  };
}

/** How many messages that were lost are named. */
const mostNamed = 5;

const ofDaemon = { reason: "", unit: "", runId: "" };
