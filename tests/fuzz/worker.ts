/// <reference lib="deno.worker" />
import { targets } from "./targets.ts";

/** Plays one seed after the other: `{ target, seed }` is answered by what is wrong, or null. */
self.onmessage = ({ data: { target, seed } }: MessageEvent<{ target: string; seed: number }>) => {
  try {
    targets[target]!(seed);
    self.postMessage(null);
  } catch (error) {
    self.postMessage(error instanceof Error ? `${error.message}\n${error.stack}` : String(error));
  }
};
self.postMessage("ready");
