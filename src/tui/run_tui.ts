import process from "node:process";
import type { TerminalContext } from "../cli/locals.ts";
import type { Connection } from "../cli/connection.ts";
import { exit } from "../cli/failures.ts";
import { daemonApi } from "./daemon_api.ts";
import { followLog } from "./follow_log.ts";
import { guardScreen } from "./guard_screen.ts";
import { keyNames } from "./key_names.ts";
import { type Hands, perform } from "./perform.ts";
import { mouseOff, mouseOn } from "./mouse.ts";
import { Refresher } from "./refresher.ts";
import { keepHeapSmall } from "./small_heap.ts";
import { firstState, viewOf } from "./state.ts";
import { Store } from "./store.ts";
import { terminalInput } from "./terminal_input.ts";
import { watchDaemonLog, watchEvents } from "./watch.ts";

/** Runs the terminal UI until it is left; answers the exit code. Throws `Unreachable` when there is no daemon. */
export async function runTui(context: TerminalContext, connection: Connection): Promise<number> {
  const api = daemonApi(connection);
  // React has a slow form for development, which is the one that it takes unless told.
  process.env.NODE_ENV ??= "production";
  const [daemon, { mountScreen }] = await Promise.all([api.daemon(), import("./mount_screen.ts")]);
  const ended = new AbortController();
  const { promise: left, resolve: leave } = Promise.withResolvers<number>();
  const store = new Store(
    firstState({
      ...sizeOf(),
      now: context.now(),
      timezone: context.timezone,
      isAscii: context.out.dash === "-",
      place: connection.place,
    }),
    (effect) => void perform(effect, hands),
  );
  const refresher = new Refresher(async () => {
    const [units, { runs }] = await Promise.all([api.units(), api.runs({ status: "running", limit: "200" })]);
    hands.hear({ is: "units", units, running: runs });
  });
  const guard = guardScreen(leave);
  const guarded = (act: () => void): void => {
    if (ended.signal.aborted) return;
    try {
      act();
    } catch (error) {
      // Not to be taken for trouble of a connection where it is waited for.
      guard.fail(error);
    }
  };
  const takeMouse = (isOn: boolean): void => void process.stdout.write(isOn ? mouseOn : mouseOff);
  const hands: Hands = {
    api,
    get: store.get,
    hear: (news) => guarded(() => store.hear(news)),
    refresh: refresher.ask,
    quit: () => leave(exit.done),
    takeMouse,
  };
  const input = terminalInput({
    onMouse: (event) => guarded(() => store.point(event)),
    onEnd: () => leave(hungUp),
  });
  const closers: (() => void)[] = [input.close];
  try {
    hands.hear({ is: "daemon", daemon });
    closers.push(mountScreen(store, {
      isColoured: !context.terminal.env.NO_COLOR,
      stdin: input.stream,
      onKey: (text, key) =>
        guarded(() => {
          for (const name of keyNames(text, key)) store.press(name);
        }),
      onPaste: (text) => guarded(() => store.paste(text)),
      onFail: guard.fail,
    }));
    takeMouse(store.get().hasMouse);
    const onResize = (): void => hands.hear({ is: "size", ...sizeOf() });
    Deno.addSignalListener("SIGWINCH", onResize);
    const clock = setInterval(() => hands.hear({ is: "time", now: context.now() }), 1000);
    closers.push(
      () => Deno.removeSignalListener("SIGWINCH", onResize),
      () => clearInterval(clock),
      keepHeapSmall(),
      followViews(store, hands, ended.signal),
    );
    void watchEvents(hands, ended.signal);
    return await left;
  } finally {
    ended.abort();
    refresher.close();
    store.close();
    try {
      for (const close of closers.toReversed()) close();
    } finally {
      guard.release();
    }
  }
}

/** What a shell makes of an end by SIGHUP, which a terminal that goes away may not send. */
const hungUp = 129;

/** Follows what the view that is shown has live: the log of a run, or the daemon's. */
function followViews(store: Store, hands: Hands, ended: AbortSignal): () => void {
  let followed = "";
  let stop = new AbortController();
  return store.subscribe(() => {
    const view = viewOf(store.get());
    const wanted = view.kind === "run" ? `run ${view.id}` : view.kind === "daemon log" ? view.kind : "";
    if (wanted === followed) return;
    followed = wanted;
    stop.abort();
    stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, ended]);
    if (view.kind === "run") void followLog(view.id, hands, signal);
    else if (view.kind === "daemon log") void watchDaemonLog(hands, signal);
  });
}

function sizeOf(): { columns: number; rows: number } {
  try {
    const { columns, rows } = Deno.consoleSize();
    // Some terminals tell 0 before they know.
    return { columns: columns || 80, rows: rows || 24 };
  } catch {
    return { columns: 80, rows: 24 };
  }
}
