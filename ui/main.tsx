/// <reference lib="dom" />
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { startClock } from "./data/clock.ts";
import { loadDaemon, watchDaemon } from "./data/daemon.ts";
import { loadUnread, watchUnread } from "./data/notices.ts";
import { loadActiveRuns, watchActiveRuns } from "./data/runs.ts";
import { watchSeen } from "./data/seen.ts";
import { applyTheme } from "./data/settings.ts";
import { loadUnits, watchUnits } from "./data/units.ts";
import { get, session } from "./net/api.ts";
import { link, onEvents, startEvents } from "./net/events.ts";
import { startKeys } from "./app/keys.ts";
import { pageKeys } from "./app/page_keys.ts";
import { startRouter } from "./app/router.tsx";
import { overlay, Shell } from "./app/shell.tsx";
import { Skeleton } from "./parts/states.tsx";

/** Reads what every view needs; each tells for itself where it can't. */
function loadAll(): void {
  for (const load of [loadDaemon, loadUnits, loadActiveRuns, loadUnread]) load().catch(() => {});
}

/** Asks whether a session is needed before anything else, so that nothing is refused in vain. */
async function askSession(): Promise<void> {
  try {
    const status = await get("/api/auth/status");
    session.value = !status.auth_required || status.authenticated ? "in" : "out";
  } catch {
    link.value = "away";
    setTimeout(askSession, 2000);
  }
}

/** The page, or the login where one is needed. */
function Page() {
  const [Login, setLogin] = useState<typeof import("./views/login/login.tsx").Login>();
  const state = session.value;
  useEffect(() => {
    if (state === "in") loadAll();
    else if (state === "out") {
      import("./views/login/login.tsx").then(({ Login }) => setLogin(() => Login), () => location.reload());
    }
  }, [state]);
  if (state === "in") return <Shell />;
  if (state === "out" && Login !== undefined) return <Login onIn={() => session.value = "in"} />;
  return (
    <main class="alone">
      {link.value === "away"
        ? <p role="alert">The daemon does not answer. The page tries again by itself.</p>
        : <Skeleton />}
    </main>
  );
}

applyTheme();
startRouter();
startClock();
watchSeen();
watchDaemon();
watchUnits();
watchActiveRuns();
watchUnread();
startKeys(pageKeys);
addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || session.value !== "in") return;
  event.preventDefault();
  overlay.value = overlay.value === "palette" ? "none" : "palette";
});
onEvents((events) => {
  if (events.some(({ name }) => name === "resync")) loadAll();
});
render(<Page />, document.body);
await askSession();
let isStarted = false;
session.subscribe((state) => {
  if (state !== "in" || isStarted) return;
  isStarted = true;
  startEvents();
});
