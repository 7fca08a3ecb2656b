import { hc } from "@hono/hono/client";
import type { App } from "../http/app.ts";
import type { DebugJson } from "../http/schemas/debug.ts";
import type { DaemonInfoJson, InstanceInfoJson, ReloadResultJson } from "../http/schemas/daemon.ts";
import type { LogSearchJson } from "../http/schemas/log.ts";
import type { LocalCredentialsJson } from "../http/schemas/auth.ts";
import type { ActionRunJson, LogPageJson, RunJson } from "../http/schemas/run.ts";
import type { TaskResponseJson, TickJson } from "../http/schemas/unit.ts";
import { Fault } from "../fault.ts";
import type { Connection } from "./connection.ts";

/** What can be done to a unit by name. */
export type Action = "start" | "stop" | "restart" | "pause" | "resume";

/** Query of the list of runs, as texts; an absent one is not asked for. */
export interface RunsQuery {
  limit?: string;
  offset?: string;
  status?: string;
  task_name?: string;
  triggered_by?: string;
  created_after?: string;
  created_before?: string;
  sort_field?: string;
  sort_direction?: string;
  search?: string;
}

/** What part of a log to read: from a line on (negative: from the end), or from a time on (RFC 3339). */
export interface LogQuery {
  from?: number;
  since?: string;
  limit: number;
}

/** What to search logs for. */
export interface SearchQuery {
  q: string;
  regex: boolean;
  case: boolean;
  run_id?: string;
  limit: number;
  cursor: string;
}

/** A backup on its way; the stream fails where the daemon goes away. */
export interface BackupAnswer {
  /** Bytes that it will have; undefined where that was not said. */
  size: number | undefined;
  body: ReadableStream<Uint8Array>;
}

/** Everything that the command line asks of a daemon, typed by the daemon's own routes. Methods throw as `Connection.fetch` does. */
export interface Client {
  /** The address of a daemon that is reached over TCP; undefined for a control socket. */
  readonly remote?: string;
  readonly place: string;
  readonly isDefault: boolean;
  daemon(): Promise<DaemonInfoJson>;
  /** Undefined where the daemon is not on this machine. */
  identity(): Promise<InstanceInfoJson | undefined>;
  reload(options: { dryRun: boolean }): Promise<ReloadResultJson>;
  /** Sends a test message; what went wrong is in the answer. */
  testNotifier(id: string): Promise<{ delivered: boolean; error: string }>;
  /** Nothing new is started from here on; the daemon ends once the runs of tasks have. */
  discard(): Promise<void>;
  /** The daemon ends, and what runs goes on for the next. `force`: over TCP, too, where nothing starts that; `trial`: the next is on trial until it is confirmed. */
  handOver(options: { force: boolean; trial?: boolean }): Promise<void>;
  /** The daemon is on trial no more. */
  confirm(): Promise<void>;
  backup(): Promise<BackupAnswer>;
  /** The description of the API. */
  openapi(): Promise<object>;
  units(): Promise<TaskResponseJson[]>;
  unit(name: string): Promise<TaskResponseJson>;
  ticks(name: string, options: { count: number; after?: string }): Promise<TickJson[]>;
  run(name: string, params: Record<string, string>): Promise<ActionRunJson>;
  /** `waitSeconds` makes a stop wait for the end. */
  act(name: string, action: Action, options?: { waitSeconds?: number }): Promise<void>;
  runs(query: RunsQuery): Promise<{ runs: RunJson[]; total: number }>;
  getRun(id: string): Promise<RunJson>;
  stopRun(id: string): Promise<void>;
  log(runId: string, query: LogQuery): Promise<LogPageJson>;
  /** The log from a line on, as server-sent events; ends early with the signal. */
  logStream(
    runId: string,
    options: { from: number; signal?: AbortSignal },
  ): Promise<ReadableStream<Uint8Array>>;
  /** Without a unit, the logs of all. */
  search(query: SearchQuery, unit?: string): Promise<LogSearchJson>;
  /** A challenge to answer with the password. */
  challenge(): Promise<{ nonce: string; iterations: number }>;
  /** A session for the right response. */
  login(answer: { nonce: string; response: string }): Promise<{ token: string; expires_at: string }>;
  /** What goes on inside; over the control socket only. */
  debug(): Promise<DebugJson>;
  /** The password that the daemon made; over the control socket only. */
  credentials(): Promise<LocalCredentialsJson>;
  close(): void;
}

/** Speaks to the daemon at the other end of a connection. */
export function clientOf(connection: Connection): Client {
  const { api } = hc<App>(connection.base, { fetch: connection.fetch });
  return {
    ...(connection.remote === undefined ? {} : { remote: connection.remote }),
    place: connection.place,
    isDefault: connection.isDefault,
    close: connection.close,
    async daemon() {
      return plain(having(await only(await api.daemon.$get(), 200).json(), "version"));
    },
    async identity() {
      try {
        return plain(await only(await api.daemon.identity.$get(), 200).json());
      } catch (error) {
        if (error instanceof Fault && error.code === "forbidden") return undefined;
        throw error;
      }
    },
    async challenge() {
      return await only(await api.auth.challenge.$get(), 200).json();
    },
    async login(answer) {
      return await only(await api.auth.login.$post({ json: answer }), 200).json();
    },
    async debug() {
      return plain(having(await only(await api.local.debug.$get(), 200).json(), "line"));
    },
    async credentials() {
      return having(await only(await api.local.credentials.$get(), 200).json(), "password");
    },
    async reload({ dryRun }) {
      const query = dryRun ? { dry_run: "true" as const } : {};
      const answer = await only(await api.daemon.reload.$post({ query }), 200).json();
      return having(answer, "changed", { orNull: true });
    },
    async testNotifier(id) {
      return await only(await api.notifiers[":id"].test.$post({ param: { id } }), 200).json();
    },
    async discard() {
      await only(await api.daemon.drain.$post(), 202).body?.cancel();
    },
    async handOver({ force, trial = false }) {
      const query = {
        ...(force ? { force: "true" as const } : {}),
        ...(trial ? { trial: "true" as const } : {}),
      };
      await only(await api.daemon.handover.$post({ query }), 202).body?.cancel();
    },
    async confirm() {
      await only(await api.daemon.confirm.$post(), 204).body?.cancel();
    },
    async backup() {
      const { headers, body } = await api.daemon.backup.$post();
      const size = headers.get("content-length");
      return {
        size: size === null ? undefined : Number(size),
        body: body ?? new ReadableStream({ start: (controller) => controller.close() }),
      };
    },
    async openapi() {
      return having<{ openapi?: string }>(
        await (await connection.fetch(`${connection.base}/openapi.json`)).json(),
        "openapi",
      );
    },
    async units() {
      return having(await only(await api.tasks.$get(), 200).json(), "tasks").tasks;
    },
    async unit(name) {
      const route = api.tasks[":taskName"];
      return having(await only(await route.$get({ param: { taskName: encode(name) } }), 200).json(), "kind");
    },
    async ticks(name, { count, after }) {
      const query = { count: String(count), ...(after === undefined ? {} : { after }) };
      const route = api.tasks[":taskName"].next;
      const answer = await only(await route.$get({ param: { taskName: encode(name) }, query }), 200).json();
      return having(answer, "ticks").ticks;
    },
    async run(name, params) {
      const route = api.tasks[":taskName"].run;
      const asked = { param: { taskName: encode(name) }, query: { via: "cli" as const }, json: { params } };
      return await only(await route.$post(asked), 201).json();
    },
    async act(name, action, { waitSeconds } = {}) {
      const query = waitSeconds === undefined
        ? {}
        : { wait: "true" as const, waitTimeout: String(waitSeconds) };
      const response = await api.tasks[":taskName"][action].$post({
        param: { taskName: encode(name) },
        query,
      });
      await response.body?.cancel();
    },
    async runs(query) {
      const answer = await only(await api.runs.$get({ query: query as object }), 200).json();
      const { runs, total } = having(answer, "total");
      return { runs: runs ?? [], total };
    },
    async getRun(id) {
      const answer = await only(await api.runs[":runId"].$get({ param: { runId: encode(id) } }), 200).json();
      return plain(having(answer, "status"));
    },
    async stopRun(id) {
      const response = await api.runs[":runId"].stop.$post({ param: { runId: encode(id) } });
      await response.body?.cancel();
    },
    async logStream(runId, { from, signal }) {
      const asked = { param: { runId: encode(runId) }, query: { from: String(from) }, header: {} };
      const init = signal === undefined ? {} : { init: { signal } };
      const { body } = await api.runs[":runId"].log.stream.$get(asked, init);
      return body ?? new ReadableStream({ start: (controller) => controller.close() });
    },
    async search({ q, regex, case: caseSensitive, limit, cursor, ...rest }, unit) {
      const query = {
        ...rest,
        q,
        limit: String(limit),
        ...(regex ? { regex: "true" as const } : {}),
        ...(caseSensitive ? { case: "true" as const } : {}),
        ...(cursor === "" ? {} : { cursor }),
      };
      const route = api.tasks[":taskName"].log.search;
      const answer = unit === undefined
        ? await only(await api.log.search.$get({ query }), 200).json()
        : await only(await route.$get({ param: { taskName: encode(unit) }, query }), 200).json();
      return having(answer, "exhausted");
    },
    async log(runId, { from, since, limit }) {
      const query = {
        limit: String(limit),
        ...(from === undefined ? {} : { from: String(from) }),
        ...(since === undefined ? {} : { since }),
      };
      return await only(await api.runs[":runId"].log.$get({ param: { runId: encode(runId) }, query }), 200)
        .json();
    },
  };
}

/** The answer as that of the one status that a success has; the connection has refused all failures by then. Throws `TypeError` for another version's. */
export function only<R extends { status: number }, S extends R["status"]>(
  response: R,
  status: S,
): Extract<R, { status: S }> {
  if (response.status !== status) {
    throw new TypeError(`the daemon answered with status ${response.status} in place of ${status}`);
  }
  return response as Extract<R, { status: S }>;
}

/** The answer without the address of its schema, which is of no use behind a control socket. */
function plain<T extends { $schema?: string | undefined }>({ $schema: _, ...answer }: T): Omit<T, "$schema"> {
  return answer;
}

/** The answer, if it has what every command needs of it; a daemon of another version may lack it. */
function having<T extends object>(
  answer: T,
  key: keyof T & string,
  { orNull = false }: { orNull?: boolean } = {},
): T {
  if (answer[key] !== undefined && (orNull || answer[key] !== null)) return answer;
  throw new TypeError(`there is no "${key}" in the daemon's answer`);
}

/** A name as one part of a path: whatever a mistyped one holds, it must not change the route. */
function encode(name: string): string {
  if (/^\.{0,2}$/.test(name)) throw new Fault("not_found", `no unit or run "${name}"`);
  return encodeURIComponent(name);
}
