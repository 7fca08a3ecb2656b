import { hc } from "@hono/hono/client";
import { type Client, clientOf, only } from "../cli/client.ts";
import type { Connection } from "../cli/connection.ts";
import type { App } from "../http/app.ts";
import type { NoticeJson } from "../http/schemas/notice.ts";
import type { ActionRunJson } from "../http/schemas/run.ts";
import type { SystemStatsJson } from "../http/schemas/system.ts";
import type { Params } from "./effect.ts";

/** What the terminal UI asks of a daemon: all that the command line does, and this. Methods throw as `Connection.fetch` does. */
export interface DaemonApi extends Client {
  /** A parameter that is null is left out, also where it has a default. */
  run(name: string, params: Params): Promise<ActionRunJson>;
  /** Server-sent events, from behind an id on where there is one. */
  events(options: { lastId?: string; signal: AbortSignal }): Promise<ReadableStream<Uint8Array>>;
  daemonLog(options: { signal: AbortSignal }): Promise<ReadableStream<Uint8Array>>;
  /** Earlier frames of a line, oldest first, each with its rows. */
  frames(id: string, n: number): Promise<readonly (readonly string[])[]>;
  notices(before: string): Promise<{ items: NoticeJson[]; next: string }>;
  unread(): Promise<number>;
  markNotice(id: string, isRead: boolean): Promise<void>;
  readAllNotices(): Promise<void>;
  system(): Promise<SystemStatsJson>;
  /** Answers how many were affected. */
  bulk(action: "delete" | "restore" | "rerun", ids: readonly string[]): Promise<number>;
  /** An address that logs one browser in. */
  launchUrl(): Promise<string>;
}

/** Speaks to the daemon at the other end of a connection. */
export function daemonApi(connection: Connection): DaemonApi {
  const { api } = hc<App>(connection.base, { fetch: connection.fetch });
  const done = async (response: { body?: ReadableStream | null }): Promise<void> => {
    await response.body?.cancel();
  };
  return {
    ...clientOf(connection),
    async run(name, params) {
      const param = { taskName: encodeURIComponent(name) };
      const asked = { param, query: { via: "cli" as const }, json: { params } };
      return await only(await api.tasks[":taskName"].run.$post(asked), 201).json();
    },
    events: ({ lastId, signal }) =>
      streamOf(connection, "/api/events/stream", {
        signal,
        headers: lastId === undefined ? {} : { "last-event-id": lastId },
      }),
    daemonLog: ({ signal }) => streamOf(connection, "/api/daemon/log/stream", { signal }),
    async frames(id, n) {
      const param = { runId: encodeURIComponent(id), n: String(n) };
      const { frames } = await only(await api.runs[":runId"].log.line[":n"].history.$get({ param }), 200)
        .json();
      return frames ?? [];
    },
    async notices(before) {
      const query = { limit: "100", ...(before === "" ? {} : { before }) };
      const { items, next_cursor } = await only(await api.notifications.$get({ query }), 200).json();
      return { items: items ?? [], next: next_cursor };
    },
    async unread() {
      return (await only(await api.notifications["unread-count"].$get(), 200).json()).count;
    },
    async markNotice(id, isRead) {
      const param = { id: encodeURIComponent(id) };
      await done(await api.notifications[":id"][isRead ? "read" : "unread"].$post({ param }));
    },
    async readAllNotices() {
      await done(await api.notifications.read.$post());
    },
    async system() {
      return await only(await api.system.$get(), 200).json();
    },
    async bulk(action, ids) {
      const response = await connection.fetch(`${connection.base}/api/runs/bulk/${action}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ids }),
      });
      const body: { affected?: number; triggered?: unknown[] } = await response.json();
      return body.triggered?.length ?? body.affected ?? ids.length;
    },
    async launchUrl() {
      const response = await connection.fetch(`${connection.base}/api/auth/launch-ticket`, {
        method: "POST",
      });
      const { url }: { url: string } = await response.json();
      return url;
    },
  };
}

async function streamOf(
  connection: Connection,
  path: string,
  init: RequestInit,
): Promise<ReadableStream<Uint8Array>> {
  const { body } = await connection.fetch(connection.base + path, init);
  return body ?? new ReadableStream({ start: (controller) => controller.close() });
}
