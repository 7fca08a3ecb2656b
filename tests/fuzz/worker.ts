import { targets } from "./targets.ts";

/** Plays one seed after the other: `{ target, seed }` is answered by what is wrong, or null. */
const scope = globalThis as unknown as {
  onmessage: (event: MessageEvent<{ target: string; seed: number }>) => void;
  postMessage(answer: string | null): void;
};
scope.onmessage = ({ data: { target, seed } }) => {
  try {
    targets[target]!(seed);
    scope.postMessage(null);
  } catch (error) {
    scope.postMessage(error instanceof Error ? `${error.message}\n${error.stack}` : String(error));
  }
};
scope.postMessage("ready");
