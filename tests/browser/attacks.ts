/// <reference lib="dom" />
/**
 * What a page of another site can try against a daemon. Each function is sent to the browser as text and runs there, so
 * none of them may use anything from outside itself.
 */

/** What a page got: for each attempt all that its script could read of the answer. */
export type Loot = Record<string, string>;

/** Tries all that a script can do without leaving its page; `base` is the daemon's origin, `task` a task to start. */
export async function attackFromPage({ base, task }: { base: string; task: string }): Promise<Loot> {
  const loot: Loot = {};
  const run = `${base}/api/tasks/${task}/run`;
  const read = async (response: Response): Promise<string> =>
    `${response.type} ${response.status} ${await response.text()}`;
  const tryFetch = async (name: string, url: string, init: RequestInit = {}): Promise<void> => {
    loot[name] = await fetch(url, { credentials: "include", ...init }).then(read, String);
  };
  const load = (name: string, element: HTMLElement): Promise<void> =>
    new Promise((resolve) => {
      const end = (what: string) => () => {
        loot[name] = what;
        resolve();
      };
      element.onload = end("loaded");
      element.onerror = end("refused");
      document.body.append(element);
    });
  const json = { "content-type": "application/json" };
  await tryFetch("post without cors", run, { method: "POST", mode: "no-cors" });
  await tryFetch("post as text", run, { method: "POST", mode: "no-cors", body: "{}" });
  await tryFetch("post with cors", run, { method: "POST" });
  await tryFetch("post with preflight", run, { method: "POST", headers: json, body: "{}" });
  await tryFetch("post without referrer", run, {
    method: "POST",
    mode: "no-cors",
    referrerPolicy: "no-referrer",
  });
  await tryFetch("post a hook", `${base}/api/hooks/tasks/${task}/run`, { method: "POST", mode: "no-cors" });
  await tryFetch("get without cors", `${base}/api/tasks`, { mode: "no-cors" });
  for (const path of ["/api/tasks", "/api/config", "/api/runs", "/api/daemon/identity", "/openapi.json"]) {
    await tryFetch(`get ${path}`, base + path);
  }
  loot.beacon = String(navigator.sendBeacon(run, "{}"));
  await load("image", Object.assign(new Image(), { src: run }));
  await load("script", Object.assign(document.createElement("script"), { src: `${base}/api/tasks` }));
  const frame = Object.assign(document.createElement("iframe"), { src: `${base}/api/tasks` });
  await load("frame", frame);
  loot.frame = frame.contentDocument?.body.innerText ?? "closed";
  loot.events = await new Promise((resolve) => {
    const source = new EventSource(`${base}/api/events/stream`, { withCredentials: true });
    const end = (what: string) => () => {
      source.close();
      resolve(what);
    };
    source.onopen = end("open");
    source.onerror = end("refused");
  });
  return loot;
}

/** Leaves the page by a form, which needs nobody's leave to be sent. */
export function submitForm({ url, policy }: { url: string; policy: ReferrerPolicy }): void {
  const meta = Object.assign(document.createElement("meta"), { name: "referrer", content: policy });
  document.head.append(meta);
  const form = Object.assign(document.createElement("form"), { method: "POST", action: url });
  document.body.append(form);
  form.submit();
}

/** Starts a task as the daemon's own page does; returns the status. */
export async function runFromOwnPage(task: string): Promise<number> {
  return (await fetch(`/api/tasks/${task}/run?via=ui&wait=true`, { method: "POST" })).status;
}

/** Reads what the daemon's own page may read. */
export async function readFromOwnPage(path: string): Promise<string> {
  return await (await fetch(path)).text();
}
