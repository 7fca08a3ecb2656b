import assert from "node:assert/strict";
import { TestTerminal } from "../core/log/terminal_fixture.ts";
import { Random } from "../simulation/random.ts";
import { bytesOf, cut, piece } from "./pieces.ts";
import { demandFaultless } from "./shrink.ts";

/** Output that comes at one time, piece by piece, and how long it is quiet then, ms. */
type Burst = { pieces: string[]; wait: number };

interface Case {
  bursts: Burst[];
  /** What was written before can be taken back: how much of a flood can be depends on how it comes, and may. */
  isHeld: boolean;
  /** Of the cuts. */
  seed: number;
}

/** What moves, erases or draws over: without any of it, output passes byte for byte. */
// deno-lint-ignore no-control-regex -- these are what is looked for
const redraws = /\r(?!\n)|\x08|\x1b(?![\]PX^_(])/;

/** Output around all limits: the same whatever the chunks, bounded, and never lost where nothing redraws it. */
export function fuzzTerminal(seed: number): void {
  const random = new Random(seed);
  demandFaultless(caseOf(random), faultOf);
}

function caseOf(random: Random): Case {
  const isPlain = random.oneIn(8);
  const isHeld = random.oneIn(3);
  const few = random.pick([3, 12, 40]);
  const bursts: Burst[] = [];
  for (let count = 1 + random.below(4); count > 0; count--) {
    const pieces: string[] = [];
    for (let i = 1 + random.below(few); i > 0; i--) {
      let one = piece(random);
      if (!isHeld && random.oneIn(20)) {
        one = one.repeat(1 + random.below(Math.ceil(20_000 / (one.length + 1))));
      }
      const all = [...pieces, one].join("");
      if (isPlain && redraws.test(all)) continue;
      if (isHeld && (all.length > 6000 || all.split("\n").length > 150)) continue;
      pieces.push(one);
    }
    bursts.push({ pieces, wait: random.pick([0, 0, 30, 60, 300]) });
  }
  return { bursts, isHeld, seed: random.seed() };
}

function faultOf({ bursts, isHeld, seed }: Case): string | undefined {
  const random = new Random(seed);
  const whole = new TestTerminal();
  const pieces = new TestTerminal();
  whole.holdsNothing = pieces.holdsNothing = !isHeld;
  try {
    for (const { pieces: parts, wait } of bursts) {
      const bytes = bytesOf(parts.join(""));
      whole.write(bytes, { wait });
      pieces.write(...cut(random, bytes), { wait });
      bounded(whole);
      bounded(pieces);
      assert.equal(differenceOf(pieces.terminal.texts(), whole.terminal.texts()), undefined, "live rows");
    }
    whole.end();
    pieces.end();
    assert.equal(differenceOf(textOf(pieces.bytes), textOf(whole.bytes)), undefined, "output");
    const frames = (one: TestTerminal): unknown => one.settled.map(({ frames }) => frames);
    assert.equal(differenceOf(frames(pieces), frames(whole)), undefined, "frames");
    assert.deepEqual(pieces.told, whole.told);
    assert.ok(whole.told.every((text) => !text.includes("could not be followed")), "the terminal broke down");
    const all = bursts.flatMap(({ pieces }) => pieces).join("");
    if (!redraws.test(all)) assert.equal(differenceOf(textOf(whole.bytes), all), undefined, "plain output");
  } catch (error) {
    return error instanceof assert.AssertionError
      ? `${error.message.split("\n")[0]} ${error.actual}`
      : `${error instanceof Error ? error.stack : error}`;
  }
}

/** What a region may hold (see docs/log-format.md). */
function bounded({ terminal }: TestTerminal): void {
  const texts = terminal.texts();
  assert.ok(texts.length <= 200, `${texts.length} rows`);
  for (const text of texts) assert.ok(text.length <= 131_072, `a row of ${text.length} characters`);
  const size = texts.reduce((sum, { length }) => sum + length, 0);
  assert.ok(size <= 2 * 1024 * 1024, `a region of ${size} characters`);
  assert.ok(terminal.held.length <= 4096, "what is held back");
}

/** Each byte as a character. */
function textOf(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return text;
}

/** Where two values differ first, with what stands there. */
function differenceOf(one: unknown, other: unknown): string | undefined {
  const [a, b] = [one, other].map((value) => typeof value === "string" ? value : JSON.stringify(value)!);
  if (a === b) return undefined;
  let i = 0;
  while (a![i] === b![i]) i++;
  const [around, instead] = [a, b].map((text) => JSON.stringify(text!.slice(Math.max(0, i - 10), i + 20)));
  return `in chunks ${around} but as a whole ${instead}, at ${i} of ${a!.length} and ${b!.length}`;
}
