import { pbkdf2 } from "node:crypto";
import { promisify } from "node:util";
import { type Network, parseNetwork } from "../../src/core/addresses.ts";
import type { AuthSetup } from "../../src/http/auth/auth.ts";
import type { Peer } from "../../src/http/router.ts";
import type { Answer, Ask } from "./make_app.ts";
import type { TestEngine } from "./make_engine.ts";

export const password = "correct horse battery staple";

/** Somebody on the network. */
export const alice: Peer = { kind: "tcp", address: "192.0.2.1" };
export const bob: Peer = { kind: "tcp", address: "192.0.2.2" };

/** The header of a page of the daemon under test. */
export const ownOrigin = { origin: "http://localhost" };

/** Authentication on the clock and the store of a test engine. */
export function authOf(test: TestEngine, own: Partial<AuthSetup> & { proxies?: string[] } = {}): AuthSetup {
  const { proxies = [], ...rest } = own;
  return {
    mode: "on",
    password: { text: password, isGenerated: false },
    clock: { now: () => test.clock.now(), monotonic: () => test.clock.elapsed },
    ageNow: () => test.engine.ageNow(),
    revocations: test.store.revocations,
    trustedProxies: proxies.map((text): Network => parseNetwork(text)!),
    hostNames: ["svchost"],
    origin: () => "http://127.0.0.1:8420",
    ...rest,
  };
}

/** What answers a challenge, by another implementation than the daemon's. */
export async function responseTo(nonce: string, secret = password): Promise<string> {
  return (await promisify(pbkdf2)(secret, nonce, 600_000, 32, "sha256")).toString("hex");
}

/** Logs in over the network. */
export async function logIn(
  app: (path: string, ask?: Ask) => Promise<Answer>,
  ask: Ask = { peer: alice },
): Promise<{ token: string; cookie: string; setCookie: string; answer: Answer }> {
  const { body } = await app("/api/auth/challenge", ask);
  const answer = await app("/api/auth/login", {
    ...ask,
    method: "POST",
    json: { nonce: body.nonce, response: await responseTo(body.nonce) },
  });
  const setCookie = answer.headers.get("set-cookie") ?? "";
  return { token: answer.body.token, cookie: setCookie.split(";")[0]!, setCookie, answer };
}

export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}
