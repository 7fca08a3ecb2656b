import { concat } from "../../../src/core/bytes.ts";

/** A random connection: what it sends, in which pieces, and how it ends. All of it is a function of the seed. */
export interface Script {
  pieces: Uint8Array[];
  /** Complete, well-formed requests at the beginning of what it sends. */
  whole: number;
  /** What follows them breaks HTTP, or ends in the middle. */
  isBroken: boolean;
  /** The client leaves without reading. */
  leavesEarly: boolean;
}

/** Numbers of [0, 1), the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A connection of the seed; its requests ask for `/NUMBER`, counted from 0. */
export function scriptOf(random: () => number): Script {
  const below = (most: number): number => Math.floor(random() * most);
  const whole = below(8);
  const parts = Array.from({ length: whole }, (_, n) => encode(request(n, { below, random })));
  const isBroken = random() < 0.6;
  if (isBroken) parts.push(nonsense(whole, { below, random }));
  const all = concat(parts);
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < all.length;) {
    const size = 1 + below(random() < 0.3 ? 4 : 400);
    pieces.push(all.subarray(at, at + size));
    at += size;
  }
  return { pieces, whole, isBroken, leavesEarly: random() < 0.15 };
}

interface Chance {
  below: (most: number) => number;
  random: () => number;
}

function request(n: number, { below, random }: Chance): string {
  const headers = "X-Y: z\r\n".repeat(below(3));
  const head = `/${n} HTTP/1.1\r\nHost: x\r\n${headers}`;
  const body = "b\r\n\r\n".repeat(below(20));
  switch (below(4)) {
    case 0:
      return `POST ${head}Content-Length: ${body.length}\r\n\r\n${body}`;
    case 1: {
      const chunks = Array.from({ length: below(4) }, () => {
        const chunk = `c${"\r\n\r\n".repeat(below(4))}`;
        return `${chunk.length.toString(16)}\r\n${chunk}\r\n`;
      });
      return `POST ${head}Transfer-Encoding: chunked\r\n\r\n${chunks.join("")}0\r\n\r\n`;
    }
    default:
      // An empty line before a request is allowed.
      return `${random() < 0.1 ? "\r\n" : ""}GET ${head}\r\n`;
  }
}

function nonsense(n: number, { below, random }: Chance): Uint8Array {
  const head = `/${n} HTTP/1.1\r\nHost: x\r\n`;
  switch (below(8)) {
    case 0:
      return Uint8Array.from({ length: 1 + below(600) }, () => below(256));
    case 1:
      return encode(request(n, { below, random }).slice(0, 10 + below(20)));
    case 2:
      return encode(`POST ${head}Content-Length: 100\r\n\r\nhalf`);
    case 3:
      return encode(`POST ${head}Transfer-Encoding: chunked\r\n\r\nzz\r\nnonsense\r\n0\r\n\r\n`);
    case 4:
      return encode(
        `POST ${head}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nffffffffffffffffff\r\n`,
      );
    case 5:
      return encode(`GET /${n} HTTP/1.1\r\nHost: x\r\nX: ${"y".repeat(20_000 + below(400_000))}\r\n\r\n`);
    case 6:
      return encode(`GET /${n} HTTP/9.9\r\n\r\n`);
    default:
      return encode(`GET /${n} HTTP/1.1\nHost: x\n : \0\n\n`.repeat(1 + below(40)));
  }
}
