import { removeIfPossible } from "../folder_lock.ts";
import { copiedBytes, spoolName, type SpoolStream } from "../../core/spool.ts";
import { reach } from "./reach.ts";
import type { LeftSpools } from "./kept_files.ts";
import { readSaid } from "./spool_file.ts";

/** So long a counter has to say its count, ms. */
const patience = 1_000;
const lookEvery = 10;

/** What was thrown away of a stream while nobody watched; `bytes`: undefined where the count is lost. */
export interface LostOutput {
  runId: string;
  stream: SpoolStream;
  bytes: number | undefined;
}

/** Ends whatever throws output away, and tells how much that was, by the files of a spool folder. Never rejects. */
export async function endCounters(
  folder: string,
  left: ReadonlyMap<string, LeftSpools>,
): Promise<LostOutput[]> {
  const streams = [...left].flatMap(([runId, both]) =>
    (["stdout", "stderr"] as const).map((stream) => ({ runId, stream, ...both[stream] }))
  );
  const counted = streams.filter(({ isCounted, counter }) => isCounted || counter !== undefined).map((
    one,
  ) => ({
    ...one,
    path: `${folder}/${spoolName({ runId: one.runId, stream: one.stream, number: "lost" })}`,
  }));
  // dd says its count when it gets this one.
  for (const { counter } of counted) if (counter !== undefined) reach(counter, "SIGUSR1");
  const until = performance.now() + patience;
  const isSilent = ({ path, counter }: { path: string; counter?: number }): boolean =>
    counter !== undefined && copiedBytes(readSaid(path)) === undefined;
  while (counted.some(isSilent) && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, lookEvery));
  }
  return counted.map(({ runId, stream, counter, path }) => {
    if (counter !== undefined) reach(counter, "SIGKILL");
    const bytes = copiedBytes(readSaid(path));
    removeIfPossible(path);
    return { runId, stream, bytes };
  });
}

/** What people read of it; undefined where nothing was. */
export function lostWords({ stream, bytes }: LostOutput): string | undefined {
  if (bytes === 0) return undefined;
  return bytes === undefined
    ? `some of its ${stream} was not kept while nobody watched`
    : `${bytes} bytes of its ${stream} were not kept while nobody watched`;
}
