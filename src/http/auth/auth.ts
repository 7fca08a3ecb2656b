import type { Context } from "@hono/hono";
import { getCookie, setCookie } from "@hono/hono/cookie";
import type { Network } from "../../core/addresses.ts";
import { believedAtStart } from "../../core/age_clock.ts";
import { FailureBrake } from "../../core/failure_brake.ts";
import { RateLimit } from "../../core/rate_limit.ts";
import type { Env } from "../router.ts";
import { bearerToken, type Client, clientOf, limitKeyOf, type OwnerOf } from "./client.ts";
import { hostOf } from "./hosts.ts";
import { Login } from "./login.ts";
import { OneTimeSecrets, randomWord } from "./one_time.ts";
import { type Password, passwordOf } from "./password.ts";
import { type Revocations, type Session, sessionLife, Sessions } from "./sessions.ts";

/** What authentication is made from; `clock` gives Unix ms, and ms that never go back. */
export interface AuthSetup {
  mode: "on" | "off";
  password: Password;
  clock: { now(): number; monotonic(): number };
  /** Unix ms, for what is forgotten by its age: not ahead where the clock is, see `AgeClock`. */
  ageNow: () => number;
  revocations: Revocations;
  /** Networks of proxies whose headers are believed. */
  trustedProxies: readonly Network[];
  /** Names of this machine, lower case. */
  hostNames: readonly string[];
  /** Tells users of this machine apart; absent: they are counted together. */
  ownerOf?: OwnerOf;
  /** Where the daemon itself listens, e.g. "http://127.0.0.1:8420"; no slash at the end. */
  origin: () => string;
}

/** Login, challenge and ticket redemption together, by client (docs/security.md#login). */
const loginLimit = { limit: 5, window: 5 * 60_000 };
/** Rejected hook tokens by client (docs/security.md#hook-tokens). */
const hookLimit = { limit: 20, window: 60_000 };
/** Failed logins of all clients, from which on those are held back that failed in the last ten minutes. */
const brake = { limit: 60, window: 60_000, memory: 10 * 60_000 };
/** How long a launch ticket works, ms (docs/security.md#login). */
const ticketLife = 60_000;
const mostTickets = 100;

/** Who may come in, and by what. One for each life of the daemon: rate limits, challenges and tickets go with it. */
export class Auth {
  readonly setup: AuthSetup;
  readonly isOn: boolean;
  readonly login: Login;
  readonly sessions: Sessions;
  readonly tickets = new OneTimeSecrets({ make: randomWord, life: ticketLife, most: mostTickets });
  readonly logins = new RateLimit(loginLimit);
  readonly failures = new FailureBrake(brake);
  readonly rejectedHooks = new RateLimit(hookLimit);
  /** Cookies don't know ports: two daemons on one host must not take each other's. */
  readonly cookieName: string;

  /** What requests are counted by: finding it out may take a look at the table of connections. */
  readonly #limitKeys = new WeakMap<Context<Env>, Promise<string>>();
  readonly #port: () => number;

  /** `port` is that of the listener. */
  constructor(setup: AuthSetup, { fingerprint, port }: { fingerprint: string; port: () => number }) {
    this.setup = setup;
    this.#port = port;
    this.isOn = setup.mode === "on";
    this.login = new Login(setup.password.text);
    this.sessions = new Sessions({ password: setup.password.text, fingerprint }, setup.revocations);
    this.cookieName = `svc_session_${fingerprint.slice(0, 8)}`;
  }

  clientOf(c: Context<Env>): Client {
    return clientOf(c, this.setup.trustedProxies);
  }

  /** What a request is counted by, see `limitKeyOf`; asked for only where something is counted. */
  limitKeyOf(c: Context<Env>): Promise<string> {
    const known = this.#limitKeys.get(c);
    if (known !== undefined) return known;
    const { ownerOf } = this.setup;
    const key = limitKeyOf(c, { client: this.clientOf(c), ownerOf, serverPort: this.#port() });
    this.#limitKeys.set(c, key);
    return key;
  }

  /** Whether a request's credential is the session cookie: a browser adds it by itself, whoever made the request. */
  isByCookie(c: Context<Env>): boolean {
    return bearerToken(c) === undefined && getCookie(c, this.cookieName) !== undefined;
  }

  /** Whether a request may use the API: over the control socket, with a session, or with authentication off. */
  async isAllowed(c: Context<Env>): Promise<boolean> {
    return !this.isOn || c.env.peer.kind === "socket" || await this.session(c) !== undefined;
  }

  /** The session of a request; a token in the Authorization header counts before the cookie. */
  async session(c: Context<Env>): Promise<Session | undefined> {
    const now = this.setup.clock.now();
    return bearerToken(c) === undefined
      ? await this.#sessionOfCookie(c, now)
      : await this.#sessionOfHeader(c, now);
  }

  /** Begins a session and hands its cookie out, which is good for the host and port of this request alone. */
  async begin(c: Context<Env>): Promise<{ token: string; expiresAt: number }> {
    const session = await this.sessions.issue(this.setup.clock.now(), hostOf(c).withPort);
    this.#setCookie(c, session.cookie, sessionLife / 1000);
    return session;
  }

  /**
   * Ends the sessions of a request, by header and by cookie, and takes the cookie back. Where the clock is ahead they have
   * expired by it alone: they are ended, and what was ended before is not forgotten, so that none comes back when it is
   * put right. A daemon that starts believes a clock that is a few days ahead, so that so much is added.
   */
  async end(c: Context<Env>): Promise<void> {
    const now = this.setup.ageNow() - believedAtStart;
    for (const session of [await this.#sessionOfHeader(c, now), await this.#sessionOfCookie(c, now)]) {
      if (session !== undefined) this.sessions.revoke(session, now);
    }
    if (getCookie(c, this.cookieName) !== undefined) this.#setCookie(c, "", 0);
  }

  async #sessionOfHeader(c: Context<Env>, now: number): Promise<Session | undefined> {
    const token = bearerToken(c);
    return token === undefined ? undefined : await this.sessions.find(token, { now });
  }

  async #sessionOfCookie(c: Context<Env>, now: number): Promise<Session | undefined> {
    const token = getCookie(c, this.cookieName);
    if (token === undefined) return undefined;
    return await this.sessions.find(token, { now, place: hostOf(c).withPort });
  }

  #setCookie(c: Context<Env>, value: string, maxAge: number): void {
    const secure = this.clientOf(c).isHttps;
    setCookie(c, this.cookieName, value, { httpOnly: true, sameSite: "Strict", path: "/", maxAge, secure });
  }
}

/** Authentication switched off, for an app that was given none; hook tokens and tickets work all the same. */
export function withoutAuth(): AuthSetup {
  return {
    mode: "off",
    password: passwordOf({ mode: "off" }),
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    ageNow: () => Date.now(),
    revocations: { revoke: () => {}, isRevoked: () => false },
    trustedProxies: [],
    hostNames: [],
    origin: () => "",
  };
}
