import type { KeptHandle } from "./kept_handle.ts";
import { leavePipes, letGo, type OutputPipe } from "./output.ts";
import type { LaunchedProcess, ProcessSink } from "./processes.ts";

/** A run that has a keeper, as everybody sees it. */
export function keptProcess(
  handle: KeptHandle,
  { pipes, sink, troubles, dismissed = (): void => {} }: {
    pipes: readonly OutputPipe[];
    sink: ProcessSink;
    troubles: () => string[];
    /** Called when its keeper may go. */
    dismissed?: () => void;
  },
): LaunchedProcess {
  let isReleased = false;
  let isLeft = false;
  const closed = (): void => {
    if (!isLeft) sink.pipesClosed();
  };
  void Promise.all(pipes.map(({ ended }) => ended)).then(closed).catch(reportError);
  return {
    get pid(): number {
      return handle.pid;
    },
    started: handle.started,
    signal: (name) => handle.signal(name),
    abandon: () => pipes.forEach((pipe) => pipe.cancel()),
    leave: () => {
      isLeft = true;
      return leavePipes(pipes);
    },
    release(): void {
      isReleased = true;
      letGo(pipes);
    },
    troubles,
    dismiss(): void {
      if (!isReleased) pipes.forEach((pipe) => pipe.cancel());
      const held = pipes.flatMap((pipe) => pipe.held ?? []);
      const dismiss = (): void => {
        handle.dismiss();
        dismissed();
      };
      if (held.length === 0) dismiss();
      else void Promise.all(held).then(dismiss, dismiss);
    },
  };
}
