import assert from "node:assert/strict";
import { concat } from "../../src/core/bytes.ts";
import { Intake } from "../../src/core/log/intake.ts";
import {
  decodeJournal,
  encodeEntry,
  encodeFront,
  FRONT,
  type JournalBase,
  type JournalEntry,
  sizeOfEntry,
} from "../../src/core/log/journal.ts";
import { limitsOf } from "../../src/core/log/limits.ts";
import { type MaskPlan, planMask } from "../../src/core/log/mask_plan.ts";
import type { OutputStream } from "../../src/core/log/recent_lines.ts";
import { countReplayed, replay } from "../../src/core/log/replay.ts";
import { Random } from "../simulation/random.ts";
import { bytesOf, cut, piece } from "./pieces.ts";
import { demandFaultless } from "./shrink.ts";

const secret = "hello100%";

/** What happens to a log, `wait` ms after what happened before. */
type Move = { wait: number } & ({ chars: string; isError: boolean } | { isSaid: boolean });

interface Case {
  moves: Move[];
  isMasked: boolean;
  maxSize: number;
  /** Of the cuts and deaths. */
  seed: number;
}

/** A daemon that dies at any moment, in the midst of writing its journal too: the next one makes the same lines. */
export function fuzzJournal(seed: number): void {
  const random = new Random(seed);
  demandFaultless(caseOf(random), faultOf);
}

function caseOf(random: Random): Case {
  const moves: Move[] = [];
  for (let count = 1 + random.below(random.pick([4, 12, 40])); count > 0; count--) {
    const wait = random.pick([0, 0, 1, 30, 60, 249, 250, 300, 2100]);
    if (random.oneIn(8)) {
      moves.push({ isSaid: random.oneIn(2), wait });
      continue;
    }
    let chars = "";
    for (let i = 1 + random.below(12); i > 0; i--) {
      chars += random.oneIn(6) ? `${secret.slice(random.below(3))}\n` : piece(random);
    }
    if (random.oneIn(20)) chars = chars.repeat(1 + random.below(Math.ceil(20_000 / chars.length)));
    moves.push({ isError: random.oneIn(3), chars, wait });
  }
  return {
    moves,
    isMasked: random.oneIn(2),
    maxSize: random.pick([0, 0, 0, 200, 4096]),
    seed: random.seed(),
  };
}

function faultOf({ moves, isMasked, maxSize, seed }: Case): string | undefined {
  const mask = isMasked ? planMask([secret]) : undefined;
  const random = new Random(seed);
  const chunks = moves.map((one) => "chars" in one ? cut(random, bytesOf(one.chars)) : []);
  try {
    const plain = new Log({ mask, maxSize });
    const count = chunks.reduce((sum, { length }) => sum + length, 0);
    // Each death costs all that is held.
    const seldom = random.pick([6, 40, 300, 1500].filter((one) => one > count / 50));
    const mortal = new MortalLog({ mask, maxSize, random, seldom });
    for (const log of [plain, mortal]) {
      moves.forEach((move, i) => {
        log.wait(move.wait);
        if ("chars" in move) {
          for (const chunk of chunks[i]!) log.write(move.isError ? "stderr" : "stdout", chunk);
        } else if (move.isSaid) log.say();
        else log.read();
      });
      log.end();
    }
    assert.equal(mortal.texts.length, plain.texts.length, "as many lines");
    plain.texts.forEach((text, i) => assert.ok(mortal.texts[i] === text, `${mortal.texts[i]}, not ${text}`));
  } catch (error) {
    return error instanceof assert.AssertionError ? error.message.slice(0, 400) : `${(error as Error).stack}`;
  }
}

/** Lines as they are given out, each as a text that tells all of it. */
class Log {
  texts: string[] = [];
  protected intake: Intake;
  protected now = 1000;
  readonly #options: { mask: MaskPlan | undefined; maxSize: number };

  constructor(options: { mask: MaskPlan | undefined; maxSize: number }) {
    this.#options = options;
    this.intake = this.made();
  }

  protected made(): Intake {
    return new Intake({
      limits: limitsOf({ maxSize: this.#options.maxSize, onFull: "drop_old" }),
      mask: this.#options.mask,
      give: ({ span: { head, body, lines, continued, joined }, stream, at, frames }) => {
        const text = new TextDecoder("latin1").decode(concat([head, body]));
        this.texts.push(JSON.stringify({ lines, stream, at, continued, joined, text, frames }));
      },
      say: (text, at) => this.texts.push(`${at} ${text}`),
      settle: () => {},
    });
  }

  wait(ms: number): void {
    const end = this.now + ms;
    for (let due = this.intake.dueAt; due !== undefined && due <= end; due = this.intake.dueAt) {
      this.now = Math.max(this.now, due);
      this.tick();
    }
    this.now = end;
  }

  tick(): void {
    this.intake.tick(this.now);
  }

  write(stream: OutputStream, chunk: Uint8Array): void {
    for (let from = 0; from < chunk.length;) {
      from += this.intake.push(stream, chunk.subarray(from), this.now);
    }
  }

  say(): void {
    this.intake.release();
    this.texts.push(`said at ${this.now}`);
  }

  read(): void {
    this.intake.releaseIdle();
  }

  end(): void {
    this.intake.end(this.now);
  }
}

/** The same with a journal, by which it comes to life again whenever it dies. */
class MortalLog extends Log {
  readonly #random: Random;
  readonly #seldom: number;
  readonly #mask: MaskPlan | undefined;
  readonly #about: Pick<JournalBase, "maxSize" | "onFull" | "mask">;
  #file: Uint8Array = new Uint8Array(0);
  #generation = 7;
  #end = 0;
  /** Lines before the journal. */
  #stored = 0;
  #rest: JournalBase["rest"] = {};

  constructor(
    { mask, maxSize, random, seldom }: {
      mask: MaskPlan | undefined;
      maxSize: number;
      random: Random;
      /** It dies once in so many steps. */
      seldom: number;
    },
  ) {
    super({ mask, maxSize });
    this.#random = random;
    this.#seldom = seldom;
    this.#mask = mask;
    this.#about = { maxSize, onFull: "drop_old", mask: "" };
    this.#begin();
  }

  override tick(): void {
    this.#survive({ kind: "tick", at: this.now }, () => super.tick());
  }

  override write(stream: OutputStream, chunk: Uint8Array): void {
    let part = chunk;
    const take = (): void => {
      part = part.subarray(this.intake.push(stream, part, this.now));
      this.#rest = part.length > 0 ? { [stream]: part.toBase64() } : {};
    };
    let isOver = this.#survive({ kind: stream, bytes: chunk, at: this.now }, take);
    while (!isOver && part.length > 0) {
      isOver = this.#survive({ kind: "rest", stream, at: this.now }, take);
    }
  }

  override say(): void {
    this.#survive({ kind: "system", text: `said at ${this.now}`, at: this.now }, () => super.say());
  }

  override read(): void {
    this.#survive({ kind: "idle" }, () => super.read());
  }

  /** Does something. True: it died, and all of it is done by the journal. */
  #survive(entry: JournalEntry, work: () => void): boolean {
    const random = this.#random;
    if (random.oneIn(this.#seldom)) this.#begin();
    const before = this.#end;
    this.#add(entry);
    if (!random.oneIn(this.#seldom)) {
      work();
      return false;
    }
    if (random.oneIn(2)) {
      // It was written as a whole; nobody knows whether it was done.
      if (random.oneIn(2)) work();
      this.#live();
      return true;
    }
    this.#tear(before);
    this.#live();
    if (entry.kind === "rest") return true;
    this.#add(entry);
    work();
    return false;
  }

  /** Of what was written from a place on only a part is there; behind it stands what was there before, or nothing. */
  #tear(from: number): void {
    const kept = from + this.#random.below(this.#end - from);
    if (this.#random.oneIn(2)) this.#file = this.#file.slice(0, kept);
    else for (let at = kept; at < this.#end; at++) this.#file[at] = at & 0xff;
  }

  #live(): void {
    const journal = decodeJournal(this.#file);
    assert.ok(typeof journal !== "string", `a journal: ${journal}`);
    this.texts.length = this.#stored;
    this.intake = this.made();
    this.intake.restore(journal.base.intake);
    replay(journal, {
      push: (stream, bytes, at) => this.intake.push(stream, bytes, at),
      tick: (at) => this.intake.tick(at),
      idle: () => this.intake.releaseIdle(),
      system: (text) => {
        this.intake.release();
        this.texts.push(text);
      },
    });
    const lines = this.texts.slice(this.#stored)
      .reduce((sum, text) => sum + (text.startsWith("{") ? JSON.parse(text).lines : 0), 0);
    assert.equal(countReplayed(journal, this.#mask), lines, "as many lines as were counted");
    this.#rest = {};
    this.#begin();
  }

  #begin(): void {
    this.#stored = this.texts.length;
    const [at, intake, rest] = [this.now, this.intake.state, this.#rest];
    const base: JournalBase = { ...this.#about, at, next: 0, storedAt: 0, isFull: false, intake, rest };
    const front = encodeFront(base, ++this.#generation);
    this.#end = front.length;
    if (front.length > FRONT || this.#file.length === 0) this.#file = front;
    else this.#file.set(front);
  }

  #add(entry: JournalEntry): void {
    const size = sizeOfEntry(entry);
    if (this.#file.length < this.#end + size) {
      this.#file = concat([this.#file, new Uint8Array(this.#end + size)]);
    }
    encodeEntry(entry, this.#generation, this.#file.subarray(this.#end));
    this.#end += size;
  }
}
