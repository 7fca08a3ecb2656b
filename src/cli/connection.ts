import { isOwnMachine, namesProxy, proxyVariables } from "../core/proxy_rules.ts";
import { faultCodeIn } from "../core/problem_type.ts";
import { Fault, type FaultCode, messageOf } from "../fault.ts";
import type { ProblemJson } from "../http/schemas/problem.ts";
import { Unreachable, UsageError } from "./failures.ts";
import type { GlobalFlags, PlaceFlags } from "./flags.ts";
import { tokenFor } from "./saved_sessions.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Where the daemon's data folder ("" when only the socket is known) and control socket are; `doubt` says who else may
 * listen there. Throws `Fault`.
 */
export type FindDaemon = (
  flags: PlaceFlags,
) => Promise<{ dataDir: string; socketPath: string; doubt?: string }>;

/** A way to one daemon. */
export interface Connection {
  /** Begins every address; no slash at the end. */
  base: string;
  /** Throws `Unreachable` when nobody answers, and `Fault` for every answer that is no success. */
  fetch: typeof fetch;
  /** The address of a daemon that is reached over TCP; undefined for a control socket. */
  remote?: string;
  /** For people: where the daemon is. */
  place: string;
  /** Who else may hear what is sent, in words. */
  doubt?: string;
  /** Found without a flag or variable that names it. */
  isDefault: boolean;
  close(): void;
}

/**
 * Settles how the daemon is reached: `--url` or SVC_URL, or `--host` and `--port`, over TCP; else its control
 * socket. Throws `Unreachable` when there is nothing that says where it is.
 */
export async function openConnection(
  flags: GlobalFlags,
  { findDaemon, env, transport, now }: {
    findDaemon: FindDaemon;
    env: Terminal["env"];
    transport?: typeof fetch;
    now: () => number;
  },
): Promise<Connection> {
  const url = urlOf(flags, env);
  if (url !== undefined) {
    const hint = `check the address, or leave ${url.source} out to use the control socket of this machine`;
    const token = tokenFor(url.base, { env, now: now() });
    const client = transport === undefined && isOwnMachine(url.base) && namesProxy(Deno.env.toObject())
      ? clientWithoutProxy()
      : undefined;
    return connectionTo(url.base, {
      remote: url.base,
      place: url.base,
      isDefault: false,
      hint: `no daemon answers at ${url.base}: ${hint}`,
      transport: withToken(transport ?? (client === undefined ? fetch : fetchBy(client)), token),
      close: () => client?.close(),
    });
  }
  const { socketPath, dataDir, doubt } = await findSocket(flags, findDaemon);
  const client = transport === undefined
    ? Deno.createHttpClient({ proxy: { transport: "unix", path: socketPath } })
    : undefined;
  return connectionTo("http://localhost", {
    ...(doubt === undefined ? {} : { doubt }),
    place: dataDir === "" ? socketPath : dataDir,
    isDefault: [flags.config, flags.data, flags.socket, env.SVC_CONFIG, env.SVC_DATA, env.SVC_SOCKET]
      .every((named) => !named),
    hint: `no daemon answers at control socket "${socketPath}": start one with "svc daemon", ` +
      "or say where it is with -c, --data, --socket or --url",
    transport: transport ?? fetchBy(client!),
    close: () => client?.close(),
  });
}

function fetchBy(client: Deno.HttpClient): typeof fetch {
  return (input, init) => fetch(input, { ...init, client });
}

/** A client takes the proxies that the environment names when it is made, and no option keeps it from that. */
function clientWithoutProxy(): Deno.HttpClient {
  const env = Deno.env.toObject();
  const named = proxyVariables.map((name) => ({ name, value: env[name] }));
  for (const { name } of named) Deno.env.delete(name);
  const client = Deno.createHttpClient({});
  for (const { name, value } of named) if (value !== undefined) Deno.env.set(name, value);
  return client;
}

function urlOf(flags: GlobalFlags, env: Terminal["env"]): { base: string; source: string } | undefined {
  const named = flags.url ?? (flags.host === undefined && flags.port === undefined ? env.SVC_URL : undefined);
  if (named) {
    const source = flags.url === undefined ? "SVC_URL" : "--url";
    if (!URL.canParse(named) || !/^https?:$/.test(new URL(named).protocol)) {
      throw new UsageError(`${source} is "${named}": give an address like http://127.0.0.1:8420`);
    }
    const { origin, pathname } = new URL(named);
    return { base: origin + pathname.replace(/\/+$/, ""), source };
  }
  // A named socket or folder says more exactly which daemon is meant than an address that it may share.
  if (flags.socket !== undefined || flags.data !== undefined) return undefined;
  if (flags.host === undefined && flags.port === undefined) return undefined;
  if (flags.port === 0) {
    throw new UsageError('--port is "0": say on which port the daemon listens, or give --data');
  }
  const host = flags.host ?? "127.0.0.1";
  return {
    base: `http://${host.includes(":") ? `[${host}]` : host}:${flags.port ?? 8420}`,
    source: flags.port === undefined ? "--host" : "--port",
  };
}

async function findSocket(
  flags: GlobalFlags,
  findDaemon: FindDaemon,
): ReturnType<FindDaemon> {
  try {
    return await findDaemon(flags);
  } catch (error) {
    if (error instanceof Fault && error.code === "not_found") {
      throw new Unreachable(`cannot tell where a daemon is: ${error.message}`);
    }
    throw error;
  }
}

function connectionTo(
  base: string,
  options: {
    remote?: string;
    doubt?: string;
    place: string;
    isDefault: boolean;
    hint: string;
    transport: typeof fetch;
    close?: () => void;
  },
): Connection {
  return {
    base,
    ...(options.remote === undefined ? {} : { remote: options.remote }),
    ...(options.doubt === undefined ? {} : { doubt: options.doubt }),
    place: options.place,
    isDefault: options.isDefault,
    close: options.close ?? (() => {}),
    async fetch(input, init) {
      let response: Response;
      try {
        response = await options.transport(input, init);
      } catch (error) {
        throw new Unreachable(whyUnreachable(error, options));
      }
      if (response.ok) return readable(response, options.place);
      const isLogin = /\/api\/auth\/login$/.test(input instanceof Request ? input.url : String(input));
      if (response.status === 401 && !isLogin) {
        await response.body?.cancel();
        throw new Fault(
          "session_needed",
          `${options.place} needs a session: "svc login --url ${options.place}" begins one`,
        );
      }
      throw await faultOf(response, options.place);
    },
  };
}

/** An answer whose JSON fails as what it is: a daemon that went away, or something else than a daemon. */
function readable(response: Response, place: string): Response {
  response.json = async () => {
    const text = await response.text().catch((error) => {
      throw new Unreachable(
        `the daemon at ${place} went away in the middle of its answer (${messageOf(error)})`,
      );
    });
    try {
      return JSON.parse(text);
    } catch {
      throw new Fault(
        "not_understood",
        `${place} answers with something that is no JSON: is it a svc daemon?`,
      );
    }
  };
  return response;
}

/** Shows a session token with every request, where there is one. */
function withToken(transport: typeof fetch, token: string | undefined): typeof fetch {
  if (token === undefined) return transport;
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("authorization", `Bearer ${token}`);
    return transport(input, { ...init, headers });
  };
}

/** A refusal of the operating system, or of a certificate, is told; that nobody listens is said by the hint already. */
function whyUnreachable(error: unknown, { hint, place }: { hint: string; place: string }): string {
  const reason = [error, error instanceof Error ? error.cause : undefined].map(messageOf).join(": ");
  const certificate = /invalid peer certificate: (\w+)/.exec(reason)?.[1];
  if (certificate !== undefined) {
    return `the certificate of ${place} is not trusted (${certificate}): ` +
      "name a file with one to trust in the variable DENO_CERT";
  }
  if (!/permission denied/i.test(reason)) return hint;
  return `not allowed to use the control socket of ${place}: run svc as the daemon's user or as root, ` +
    'or speak to its port, as with "svc login --url http://127.0.0.1:8420"';
}

/** A problem document as the failure that it tells. */
async function faultOf(response: Response, place: string): Promise<Fault> {
  const text = await response.text();
  const { status } = response;
  const problem = problemIn(response, text);
  if (problem === undefined) {
    return new Fault(
      codeOf(status),
      `${place} answers with status ${status} and no reason: is it a svc daemon?`,
    );
  }
  return new Fault(
    faultCodeIn(problem.type) ?? codeOf(status, problem.detail),
    problem.detail || problem.title || `status ${status}`,
    (problem.errors ?? []).map(({ location = "", message = "", value }) => ({ location, message, value })),
  );
}

function problemIn(response: Response, text: string): ProblemJson | undefined {
  if (!/json/.test(response.headers.get("content-type") ?? "")) return undefined;
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null ? body : undefined;
  } catch {
    return undefined;
  }
}

/** How a daemon whose problems have no type yet says that it has no such route. */
const unknownRoute = /^no such path "/;

/** The code of an answer that names none, or none that is known here, as far as its status tells: an older daemon, or a newer one. */
function codeOf(status: number, detail = ""): FaultCode {
  if (status === 404) return unknownRoute.test(detail) ? "no_route" : "not_found";
  if (status === 405) return "wrong_method";
  // That a session is needed is said elsewhere.
  if (status === 401) return "login_refused";
  if (status === 403) return "forbidden";
  if (status === 409) return "conflict";
  if (status === 422) return "invalid";
  if (status === 429) return "rate_limited";
  if (status === 503) return "unavailable";
  return status < 500 ? "bad_request" : "internal";
}
