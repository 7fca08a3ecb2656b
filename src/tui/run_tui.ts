import process from "node:process";
import type { Context } from "../cli/command.ts";
import type { Connection } from "../cli/connection.ts";
import { exit } from "../cli/failures.ts";
import { daemonApi } from "./daemon_api.ts";
import { followLog } from "./follow_log.ts";
import { guardScreen } from "./guard_screen.ts";
import { keyNames } from "./key_names.ts";
import { type Hands, perform } from "./perform.ts";
import { Refresher } from "./refresher.ts";
import { keepHeapSmall } from "./small_heap.ts";
import { firstState, viewOf } from "./state.ts";
import { Store } from "./store.ts";
import { watchDaemonLog, watchEvents } from "./watch.ts";

/** Runs the terminal UI until it is left; answers the exit code. Throws `Unreachable` when there is no daemon. */
export async function runTui(context: Context, connection: Connection): Promise<number> {
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
    store.hear({ is: "units", units, running: runs });
  });
  const hands: Hands = {
    api,
    get: store.get,
    hear: (news) => {
      if (!ended.signal.aborted) store.hear(news);
    },
    refresh: refresher.ask,
    quit: () => leave(exit.done),
  };
  hands.hear({ is: "daemon", daemon });
  const guard = guardScreen(leave);
  const unmount = mountScreen(store, {
    isColoured: !context.terminal.env.NO_COLOR,
    onKey: (input, key) => {
      for (const name of keyNames(input, key)) store.press(name);
    },
  });
  const onResize = (): void => hands.hear({ is: "size", ...sizeOf() });
  Deno.addSignalListener("SIGWINCH", onResize);
  const clock = setInterval(() => hands.hear({ is: "time", now: context.now() }), 1000);
  const letGrow = keepHeapSmall();
  const unfollow = followViews(store, hands, ended.signal);
  void watchEvents(hands, ended.signal);
  try {
    return await left;
  } finally {
    ended.abort();
    clearInterval(clock);
    Deno.removeSignalListener("SIGWINCH", onResize);
    letGrow();
    unfollow();
    refresher.close();
    store.close();
    unmount();
    guard.release();
  }
}

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
