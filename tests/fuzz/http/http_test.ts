/**
 * Random bytes against the real listeners. `FUZZ_SEEDS=1-1000` names the seeds; a seed that fails is in the message.
 */
import assert from "node:assert/strict";
import type { Patience } from "../../../src/core/listen/progress.ts";
import { serveTcp } from "../../../src/http/serve.ts";
import type { Door, Listener } from "../../../src/http/listen/door.ts";
import { servePublic } from "../../../src/http/serve_public.ts";
import { randomOf, type Script, scriptOf } from "./connections.ts";

const [from = 1, to = 40] = (Deno.env.get("FUZZ_SEEDS") ?? "1-40").split("-").map(Number);
/** Connections of one seed, all at once. */
const together = 12;
/** Whatever is not over by then never will be, ms. */
const deadline = 60_000;
/** Half a request ends by them; a client that is only kept waiting by a busy machine still has its answer. */
const patience: Patience = { header: 5000, request: 5000, idle: 10_000, write: 10_000 };

/** Says which request it was, and what its body was as long as. */
const door: Door = {
  async fetch(request) {
    const { pathname } = new URL(request.url);
    const length = await request.text().then((text) => text.length, () => -1);
    // Some answers take a turn or more.
    if (Number(pathname.slice(1)) % 3 === 1) await new Promise((resolve) => setTimeout(resolve, 1));
    return new Response(`<${pathname} ${length}>`);
  },
};

/** All that comes back until the other side ends the connection, or all whole requests have been answered. */
async function play(port: number, { pieces, whole, isBroken, leavesEarly }: Script): Promise<string> {
  using connection = await Deno.connect({ port });
  const sending = send(connection, pieces);
  if (leavesEarly) {
    await sending;
    return "";
  }
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(4096);
  let text = "";
  // Who broke HTTP is cut off; who did not keeps a connection that he closes himself.
  while (isBroken || answersIn(text).length < whole) {
    const count = await connection.read(buffer).catch(() => null);
    if (count === null) break;
    text += decoder.decode(buffer.subarray(0, count), { stream: true });
  }
  await sending;
  return text;
}

async function send(connection: Deno.Conn, pieces: readonly Uint8Array[]): Promise<void> {
  try {
    for (const piece of pieces) {
      for (let at = 0; at < piece.length;) at += await connection.write(piece.subarray(at));
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  } catch {
    // It was cut off in the middle.
  }
}

/** The numbers of the requests that were answered by the door, in the order of their answers. */
function answersIn(text: string): number[] {
  return [...text.matchAll(/<\/(\d+) -?\d+>/g)].map(([, n]) => Number(n));
}

function judge(text: string, { whole, isBroken, leavesEarly }: Script): void {
  const answers = answersIn(text);
  assert.deepEqual(answers, answers.map((_, n) => n), "answers come in the order of the requests, one each");
  if (leavesEarly) return;
  // What is broken behind them may end the connection before, as the last answers are on their way.
  if (!isBroken) assert.equal(answers.length, whole, "every whole request is answered");
}

async function fuzz(seed: number, { site, probe }: { site: Listener; probe: Listener }): Promise<void> {
  const random = randomOf(seed);
  const scripts = Array.from({ length: together }, () => scriptOf(random));
  const playing = Promise.all(scripts.map((script) => play(site.port, script)));
  // Nobody else waits: not on this listener, nor on another.
  for (const { port } of [site, probe]) {
    const answer = await fetch(`http://127.0.0.1:${port}/7`, { headers: { connection: "close" } });
    assert.equal(await answer.text(), "</7 0>");
  }
  const texts = await playing;
  scripts.forEach((script, n) => judge(texts[n]!, script));
}

async function within<T>(work: Promise<T>, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not end`)), deadline);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const listeners: Record<string, () => Promise<Listener>> = {
  "serveTcp()": () => serveTcp(door, { host: "127.0.0.1", port: 0, patience }),
  "servePublic()": () => Promise.resolve(servePublic(door, { host: "127.0.0.1", port: 0, patience })),
};

for (const [name, listen] of Object.entries(listeners)) {
  Deno.test(`${name} answers each whole request once and in order, whatever else comes`, async () => {
    const [site, probe] = [await listen(), await listen()];
    const seeds = Array.from({ length: to - from + 1 }, (_, n) => from + n);
    // Several seeds at once, since most of their time is waiting for half requests to be given up.
    const next = seeds.values();
    const worker = async (): Promise<void> => {
      for (const seed of next) {
        await within(fuzz(seed, { site, probe }), `seed ${seed}`).catch((error) => {
          throw new Error(`seed ${seed}: ${error.message}`, { cause: error });
        });
      }
    };
    await Promise.all(Array.from({ length: 20 }, worker));
    // Resolves only when no connection is left.
    await within(Promise.all([site.close(), probe.close()]), "closing");
    // The library looks at what is left of a body two turns after its connection has ended.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve));
  });
}
