import { dirname } from "node:path";
import { Fault, messageOf } from "../fault.ts";
import type { Terminal } from "./terminal.ts";

/** A session of a daemon that is reached over the network; `expires_at` is RFC 3339. */
export interface SavedSession {
  token: string;
  expires_at: string;
}

type Sessions = Record<string, SavedSession>;

/** The session token for a daemon's address: `SVC_TOKEN`, else the one that `svc login` kept; undefined when there is none. */
export function tokenFor(
  base: string,
  { env, now }: { env: Terminal["env"]; now: number },
): string | undefined {
  if (env.SVC_TOKEN) return env.SVC_TOKEN;
  const session = readSessions(env)[base];
  return session !== undefined && Date.parse(session.expires_at) > now ? session.token : undefined;
}

/** Keeps a session for later commands, in a file that only this user can read; answers its path. Throws `Fault`. */
export function saveSession(
  base: string,
  session: SavedSession,
  { env, now }: { env: Terminal["env"]; now: number },
): string {
  const path = pathOf(env);
  if (path === undefined) {
    throw new Fault("invalid", "cannot keep the session: neither XDG_STATE_HOME nor HOME says where");
  }
  const live = Object.entries(readSessions(env)).filter(([, { expires_at }]) => Date.parse(expires_at) > now);
  const sessions: Sessions = { ...Object.fromEntries(live), [base]: session };
  // Never through a file that somebody else could have put there, or may read.
  const next = `${path}.${crypto.randomUUID()}`;
  try {
    Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    Deno.writeTextFileSync(next, `${JSON.stringify(sessions, null, 2)}\n`, { createNew: true, mode: 0o600 });
    Deno.renameSync(next, path);
  } catch (error) {
    throw new Fault("internal", `cannot keep the session in "${path}": ${messageOf(error)}`);
  }
  return path;
}

function pathOf(env: Terminal["env"]): string | undefined {
  const state = env.XDG_STATE_HOME?.startsWith("/")
    ? env.XDG_STATE_HOME
    : env.HOME && `${env.HOME}/.local/state`;
  return state ? `${state}/svc/sessions.json` : undefined;
}

/** What was kept; a missing or damaged file is as good as none. */
function readSessions(env: Terminal["env"]): Sessions {
  const path = pathOf(env);
  if (path === undefined) return {};
  try {
    const kept: unknown = JSON.parse(Deno.readTextFileSync(path));
    return typeof kept === "object" && kept !== null
      ? Object.fromEntries(Object.entries(kept).filter(([, session]) => isSession(session)))
      : {};
  } catch {
    return {};
  }
}

function isSession(value: unknown): value is SavedSession {
  return typeof value === "object" && value !== null && "token" in value && typeof value.token === "string" &&
    "expires_at" in value && typeof value.expires_at === "string";
}
