import { messageOf } from "../fault.ts";
import type { Action } from "../cli/client.ts";
import { openBrowser } from "./browser.ts";
import type { DaemonApi } from "./daemon_api.ts";
import type { Effect } from "./effect.ts";
import { historyQuery } from "./history_query.ts";
import { pageLines } from "./log_window.ts";
import type { News } from "./news.ts";
import { type State, viewOf } from "./state.ts";

/** What effects work with. */
export interface Hands {
  api: DaemonApi;
  get: () => State;
  hear: (news: News) => void;
  /** Reads units again, soon. */
  refresh: () => void;
  quit: () => void;
  /** Takes the mouse, or leaves it to the terminal. */
  takeMouse: (isOn: boolean) => void;
}

/** Runs of one page. */
const pageRuns = 100;

/** Brings an effect about; what goes wrong becomes a message. */
export async function perform(effect: Effect, hands: Hands): Promise<void> {
  try {
    await bringAbout(effect, hands);
  } catch (error) {
    hands.hear({ is: "message", text: messageOf(error).replace(/\s+/g, " "), role: "bad" });
  }
}

async function bringAbout(effect: Effect, hands: Hands): Promise<void> {
  const { api, hear, refresh } = hands;
  const say = (text: string): void => hear({ is: "message", text, role: "neutral" });
  switch (effect.do) {
    case "quit":
      return hands.quit();
    case "refresh":
      return refresh();
    case "load":
      return await load(hands);
    case "act":
      return await act(effect, hands);
    case "run": {
      const { id } = await api.run(effect.name, { ...effect.params });
      if (effect.isShown) hear({ is: "opened", id });
      say(`Started ${effect.name}.`);
      return refresh();
    }
    case "stop run":
      await api.stopRun(effect.id);
      return say("Asked it to stop.");
    case "rerun": {
      const count = await api.bulk("rerun", effect.ids);
      say(`Started ${count === 1 ? "1 run" : `${count} runs`}.`);
      return refresh();
    }
    case "delete":
      await api.bulk("delete", effect.ids);
      return hear({ is: "deleted", ids: effect.ids });
    case "restore":
      await api.bulk("restore", effect.ids);
      say("Brought back.");
      return await load(hands);
    case "reload":
      return await reload(effect.isDry, hands);
    case "page": {
      const page = await api.log(effect.id, { from: effect.from, limit: pageLines });
      return hear({
        is: "log page",
        id: effect.id,
        lines: page.lines ?? [],
        first: page.first_available,
        total: page.total_lines,
      });
    }
    case "search":
      return await search(effect, hands);
    case "frames": {
      const { id, n } = effect;
      return hear({ is: "frames", id, n, frames: await api.frames(id, n) });
    }
    case "more runs":
      return await readRuns(effect.filter, effect.offset, hands);
    case "more notices":
      return hear({ is: "notices", ...await api.notices(effect.before), isMore: true });
    case "mark notice":
      await api.markNotice(effect.id, effect.isRead);
      return await readNotices(hands);
    case "read all notices":
      await api.readAllNotices();
      return await readNotices(hands);
    case "mouse":
      return hands.takeMouse(effect.isOn);
    case "browse": {
      const url = await api.launchUrl();
      return await openBrowser(url) ? say("Opened the page in a browser.") : hear({ is: "address", url });
    }
  }
}

/** Reads what the view that is shown needs. */
export async function load(hands: Hands): Promise<void> {
  const { api, get, hear } = hands;
  const view = viewOf(get());
  switch (view.kind) {
    case "unit": {
      const hasCron = get().units.find(({ name }) => name === view.name)?.cron !== undefined;
      const [{ runs }, ticks] = await Promise.all([
        api.runs({ task_name: view.name, limit: "50" }),
        hasCron ? api.ticks(view.name, { count: 3 }) : [],
      ]);
      return hear({ is: "unit runs", name: view.name, runs, ticks });
    }
    case "run":
      return hear({ is: "run", run: await api.getRun(view.id) });
    case "history":
      return await readRuns(view.filter, 0, hands);
    case "notices":
      return await readNotices(hands);
    case "system":
      return hear({ is: "system", stats: await api.system() });
    case "home":
    case "daemon log":
      return;
  }
}

async function readRuns(filter: string, offset: number, { api, hear }: Hands): Promise<void> {
  const query = { ...historyQuery(filter), limit: String(pageRuns), offset: String(offset) };
  hear({ is: "runs", filter, offset, ...await api.runs(query) });
}

async function readNotices({ api, hear }: Hands): Promise<void> {
  const [page, count] = await Promise.all([api.notices(""), api.unread()]);
  hear({ is: "notices", ...page, isMore: false });
  hear({ is: "unread", count });
}

const doneWords: Record<Action, string> = {
  start: "Started",
  stop: "Stopping",
  restart: "Restarted",
  pause: "Paused",
  resume: "Resumed",
};

async function act(
  { action, names }: { action: Action; names: readonly string[] },
  { api, hear, refresh }: Hands,
): Promise<void> {
  const ends = await Promise.allSettled(names.map((name) => api.act(name, action)));
  const failed = ends.flatMap((end) => end.status === "rejected" ? [messageOf(end.reason)] : []);
  const what = names.length === 1 ? names[0] : `${names.length - failed.length} units`;
  if (failed.length === 0) hear({ is: "message", text: `${doneWords[action]} ${what}.`, role: "neutral" });
  else {
    const more = failed.length === 1 ? "" : ` (and ${failed.length - 1} more)`;
    hear({ is: "message", text: `${failed[0]}${more}`, role: "bad" });
  }
  refresh();
}

async function reload(isDry: boolean, { api, hear, refresh }: Hands): Promise<void> {
  const result = await api.reload({ dryRun: isDry });
  const [added, removed] = [result.added ?? [], result.removed ?? []];
  const changed = (result.changed ?? []).map(({ name }) => name);
  if (isDry) return hear({ is: "changes", added, removed, changed });
  hear({ is: "message", text: "The configuration on disk is in force.", role: "good" });
  hear({ is: "daemon", daemon: await api.daemon() });
  refresh();
}

async function search(
  { id, unit, text }: { id: string; unit: string; text: string },
  { api, hear }: Hands,
): Promise<void> {
  const hits: number[] = [];
  let cursor = "";
  for (;;) {
    const query = { q: text, regex: false, case: false, run_id: id, limit: 1000, cursor };
    const found = await api.search(query, unit === "" ? undefined : unit);
    hits.push(...(found.hits ?? []).map(({ n }) => n));
    cursor = found.next_cursor ?? "";
    // More than anybody walks through.
    if (found.exhausted || cursor === "" || hits.length >= 20_000) break;
  }
  hear({ is: "hits", id, text, hits: hits.sort((a, b) => a - b) });
}
