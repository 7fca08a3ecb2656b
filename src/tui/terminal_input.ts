import process from "node:process";
import { PassThrough } from "node:stream";
import { type MouseEvent, MouseReports } from "./mouse.ts";

/** The keys of this terminal as a stream that Ink reads as if it were the terminal. */
export interface TerminalInput {
  stream: typeof process.stdin;
  close(): void;
}

/** Reads this terminal: what the mouse did goes to `onMouse`, and `onEnd` is called when there is no terminal any more. */
export function terminalInput(
  { onMouse, onEnd }: { onMouse: (event: MouseEvent) => void; onEnd: () => void },
): TerminalInput {
  const { stdin } = process;
  const reports = new MouseReports();
  const keys = new PassThrough();
  // What Ink asks of a terminal beside its bytes.
  const stream = Object.assign(keys, {
    isTTY: true,
    setRawMode: (isRaw: boolean) => stdin.setRawMode(isRaw),
    ref: () => stdin.ref(),
    unref: () => stdin.unref(),
  }) as unknown as typeof process.stdin;
  const onData = (piece: string): void => {
    const taken = reports.split(piece);
    if (taken.keys !== "") keys.write(taken.keys);
    for (const event of taken.events) onMouse(event);
  };
  stdin.setEncoding("utf8");
  stdin.on("data", onData);
  stdin.once("end", onEnd);
  stdin.once("error", onEnd);
  return {
    stream,
    close() {
      stdin.off("data", onData);
      stdin.off("end", onEnd);
      stdin.pause();
      keys.destroy();
    },
  };
}
