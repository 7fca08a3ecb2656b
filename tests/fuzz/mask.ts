import assert from "node:assert/strict";
import { maskBytes, Masker } from "../../src/core/log/mask.ts";
import { planMask } from "../../src/core/log/mask_plan.ts";
import { withoutEscapes } from "../../src/core/log/plain.ts";
import { Random } from "../simulation/random.ts";
import { bytesOf, cut, nearLimit } from "./pieces.ts";

/** What viewers show nothing of, as characters that stand for bytes. */
const escapes = [
  ...["\x1b[31m", "\x1b[0m", "\x1b[K", "\x1b]0;t\x07", "\x1b(B", "\x1bP1q\x1b\\"],
  ..."\0\x01\x07\b\v\f\r\x0e\x0f\x7f",
  ...["\xc2\x85", "\xc2\x80", "\xc2\xad", "\xd8\x9c", "\xe2\x80\x8b", "\xe2\x80\xae"],
  ...["\xe2\x81\xa6", "\xef\xbb\xbf"],
];
/** What they read differently: some show a part of it. */
const disputed = [
  ...["\x1b[3\x01", "\x1b[\x01", "\x1b%\x01"],
  ...["\xc2\x9b31m", "\xc2\x9b", "\xc2\x9d0;t\xc2\x9c", "\xc2\x9f"],
];
/** How viewers leave it out: as `withoutEscapes`, the command line and the page do. */
const invisible =
  "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u00ad\\u061c\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff]";
const lenient =
  "\\x1b\\[[0-?]*[ -/]*[@-~]?|\\x1b[\\]PX^_][^\\n\\x07\\x1b]*(?:\\x07|\\x1b\\\\)?|\\x1b[ -/]*[0-~]?";
const strict = "\\x1b(?:\\[[0-?]*[ -/]*[@-~]|[\\]PX^_][^\\n\\x07\\x1b]*(?:\\x07|\\x1b\\\\)|[ -/]*[0-~])";
const viewers = [`${lenient}|${invisible}`, `${strict}|${invisible}`].map((one) => new RegExp(one, "g"));
const leaveOut: ((text: string) => string)[] = [
  (text) => withoutEscapes(text).replace(new RegExp(invisible, "g"), ""),
  ...viewers.map((one) => (text: string): string => text.replace(one, "")),
];

/** Secrets in output of all kinds: none is ever shown whole, however it is cut, and all else stays as it was. */
export function fuzzMask(seed: number): void {
  const random = new Random(seed);
  const letters = random.pick([[..."ab"], [..."abcdefgh"], [..."ab%/+ ", "\xc3\xa9"]]);
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
      [1, () => {
        const all = btoa(`${"x".repeat(random.below(90))}${secret}${"y".repeat(random.below(9))}`);
        const width = random.pick([76, 64]);
        return (all.match(new RegExp(`.{1,${width}}`, "g")) ?? []).join(random.pick(["\n", "\r\n"]));
      }],
      [1, () => random.pick([...escapes, "\n", "\x1b", "\x1b["])],
      [1, () => "x".repeat(nearLimit(random, 70_000))],
    ])();
  }
  const bytes = bytesOf(chars);
  const whole = masked(plan, [bytes]);
  const pieces = masked(plan, cut(random, bytes));
  assert.ok(pieces === whole, "masked differently with the chunks");
  // Behind an escape the mark's own beginning is read as a sequence, and what is left of it may complete a secret.
  const mark = new RegExp(String.raw`(?<=\x1b)\[r?e?d?a?c?t?e?d?\]`, "g");
  const rest = whole.split("[redacted]").join("").replace(mark, "");
  assert.ok(isWithin(rest, chars), "all but secrets stays as it was");
  const seenBy = leaveOut.map((leave) => leave(decoded(whole)));
  const unwrapped = whole.replace(/(?<=[\w+/]{60})\r?\n/g, "");
  for (const secret of secrets) {
    for (const text of secret.split("\n")) {
      const line = encoded(text);
      if (text.length < 6) continue;
      assert.ok(!whole.includes(line), "shown as it is");
      for (const seen of seenBy) {
        assert.ok(!seen.includes(text), "shown to who leaves out what can't be seen");
      }
      const encoding = btoa(line).replace(/.?=+$/, "");
      assert.ok(!unwrapped.includes(encoding), "shown in base64 that is broken into lines");
    }
  }
  fuzzDisputed(random, random.pick(secrets.flatMap((secret) => secret.split("\n"))));
  let clear = "x".repeat(random.below(100));
  for (let i = random.below(9); i > 0; i--) clear += `${random.pick(escapes)}y\n`;
  const nothing = bytesOf(clear);
  assert.equal(maskBytes(plan, nothing), nothing);
}

/** Whether a text is another one of which some characters are gone. */
function isWithin(part: string, all: string): boolean {
  let at = 0;
  for (const char of all) if (char === part[at]) at++;
  return at === part.length;
}

/** One secret, with what viewers read differently inside: none shows it. */
function fuzzDisputed(random: Random, secret: string): void {
  const plan = secret.length < 6 ? undefined : planMask([secret]);
  if (plan === undefined) return;
  const all = [...disputed, ...escapes];
  const spread = [...secret].map((char) => encoded(char) + (random.oneIn(3) ? random.pick(all) : "")).join(
    "",
  );
  const bytes = bytesOf(`x${spread}x`);
  const whole = masked(plan, [bytes]);
  assert.ok(masked(plan, cut(random, bytes)) === whole, "masked differently with the chunks");
  for (const leave of leaveOut) {
    assert.ok(!leave(decoded(whole)).includes(secret), "shown to one who reads it otherwise");
  }
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
