import assert from "node:assert/strict";
import { maskBytes, Masker, planMask } from "../../src/core/log/mask.ts";
import { withoutEscapes } from "../../src/core/log/plain.ts";
import { Random } from "../simulation/random.ts";
import { bytesOf, cut, nearLimit } from "./pieces.ts";

const escapes = ["\x1b[31m", "\x1b[0m", "\x1b[K", "\x1b]0;t\x07", "\x1b(B"];

/** Secrets in output of all kinds: none is ever shown whole, however it is cut, and all else stays as it was. */
export function fuzzMask(seed: number): void {
  const random = new Random(seed);
  const letters = random.pick(["ab", "abcdefgh", "ab\xc3\xa9%/+ "]);
  const text = (length: number): string => {
    let all = "";
    while (all.length < length) all += letters[random.below(letters.length)];
    return all;
  };
  const secrets = Array.from(
    { length: 1 + random.below(4) },
    () => decoded(text(random.oneIn(9) ? nearLimit(random, 4096) : 6 + random.below(12))),
  );
  const plan = planMask(secrets);
  if (plan === undefined) return;
  let chars = "";
  for (let i = random.below(40); i > 0; i--) {
    const secret = encoded(random.pick(secrets));
    chars += random.weighted<() => string>([
      [4, () => text(random.below(20))],
      [2, () => secret],
      [2, () => secret.slice(0, random.below(secret.length))],
      [2, () => [...secret].map((char) => random.oneIn(4) ? char + random.pick(escapes) : char).join("")],
      [1, () => btoa(`${"x".repeat(random.below(4))}${secret}`)],
      [1, () => random.pick([...escapes, "\n", "\x1b", "\x1b["])],
      [1, () => "x".repeat(nearLimit(random, 70_000))],
    ])();
  }
  const bytes = bytesOf(chars);
  const whole = masked(plan, [bytes]);
  const pieces = masked(plan, cut(random, bytes));
  assert.ok(pieces === whole, "masked differently with the chunks");
  for (const secret of secrets) {
    for (const text of secret.split("\n")) {
      const line = encoded(text);
      if (text.length < 6) continue;
      assert.ok(!whole.includes(line), "shown as it is");
      assert.ok(!withoutEscapes(whole).includes(line), "shown between escape sequences");
    }
  }
  const nothing = bytesOf("x".repeat(random.below(100)) + "\x1b[31my\n");
  assert.equal(maskBytes(plan, nothing), nothing);
}

function masked(plan: NonNullable<ReturnType<typeof planMask>>, chunks: Uint8Array[]): string {
  const masker = new Masker(plan);
  let out = "";
  const take = (bytes: Uint8Array): void => {
    for (let at = 0; at < bytes.length; at += 8192) {
      out += String.fromCharCode(...bytes.subarray(at, at + 8192));
    }
  };
  for (const chunk of chunks) masker.push(chunk, take);
  masker.end(take);
  return out;
}

/** The text whose bytes these characters are, and the other way. */
function decoded(chars: string): string {
  return new TextDecoder().decode(bytesOf(chars));
}

function encoded(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}
