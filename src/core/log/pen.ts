/** More colour changes than this many characters, without a reset among them, lose the oldest. */
const MOST = 1024;
// deno-lint-ignore no-control-regex -- this is what a reset looks like
const resets = /^\x1b\[(?:0*(?:;|m))/;
/** So many changes are looked through where a guess will do. */
const NEAR = 4;

/**
 * The colours that text is written with: the sequences since the last reset, as they came. Nothing in them is
 * interpreted but whether they reset. Each pen holds only what it adds to the one before it, since a row may have
 * another one in every cell.
 */
export class Pen {
  /** Characters of all its sequences. */
  readonly length: number;
  /** Its first sequence resets. */
  readonly isReset: boolean;
  readonly before: Pen | undefined;
  readonly sequence: string;

  constructor(before: Pen | undefined, sequence: string) {
    this.before = before;
    this.sequence = sequence;
    this.length = (before?.length ?? 0) + sequence.length;
    this.isReset = before === undefined || before.length === 0 ? resets.test(sequence) : before.isReset;
  }

  /** All its sequences. */
  get text(): string {
    return this.textBehind(0);
  }

  /** Its sequences behind the first `length` characters. */
  textBehind(length: number): string {
    let text = this.length > length ? this.sequence : "";
    for (let pen = this.before; pen !== undefined && pen.length > length; pen = pen.before) {
      text = pen.sequence + text;
    }
    return text;
  }
}

/** What a terminal begins with. */
export const NO_PEN = new Pen(undefined, "");
/** What ends all colours. */
export const RESET = new Pen(undefined, "\x1b[0m");
const SHORT_RESET = new Pen(undefined, "\x1b[m");
/** Those that are told by what they are, not by what they say. */
const known: readonly Pen[] = [NO_PEN, RESET, SHORT_RESET];
/** The first steps that nearly all output takes, so that equal pens are mostly the same one. */
const common = new Map<Pen, Map<string, Pen>>(known.map((pen) => [pen, new Map()]));
const MOST_COMMON = 64;

/** The pen after a sequence that sets colours. */
export function penAfter(pen: Pen, sequence: string): Pen {
  if (resets.test(sequence)) {
    if (sequence === RESET.sequence || sequence.length > MOST) return RESET;
    return sequence === SHORT_RESET.sequence ? SHORT_RESET : new Pen(undefined, sequence);
  }
  if (pen.sequence === sequence) return pen;
  if (pen.length + sequence.length > MOST) return shortened(pen, sequence);
  return penBehind(pen, sequence);
}

function penBehind(pen: Pen, sequence: string): Pen {
  const steps = common.get(pen);
  const next = steps?.get(sequence) ?? new Pen(pen, sequence);
  if (steps !== undefined && steps.size < MOST_COMMON && sequence.length <= 24) steps.set(sequence, next);
  return next;
}

/** Pens by number, for a journal: those of one stream share most of their sequences. */
export class Palette {
  /** Each but the first three: the number of the one before it (-1: none), and its sequence. */
  readonly pens: Array<[before: number, sequence: string]> = [];
  readonly #numbers = new Map<Pen, number>(known.map((pen, i) => [pen, i]));

  /** The number of a pen. */
  add(pen: Pen): number {
    let number = this.#numbers.get(pen);
    if (number === undefined) {
      const before = pen.before === undefined ? -1 : this.add(pen.before);
      number = known.length + this.pens.push([before, pen.sequence]) - 1;
      this.#numbers.set(pen, number);
    }
    return number;
  }

  /** What gives the pens back by their numbers. Throws `RangeError` for one that isn't there. */
  static reader(pens: readonly [before: number, sequence: string][]): (number: number) => Pen {
    const all = [...known];
    const pen = (number: number): Pen => {
      const found = all[number];
      if (found === undefined) throw new RangeError(`no pen has the number ${number}`);
      return found;
    };
    for (const [before, sequence] of pens) {
      all.push(before < 0 ? new Pen(undefined, sequence) : penBehind(pen(before), sequence));
    }
    return pen;
  }
}

/** The newest half, behind a reset. */
function shortened(pen: Pen, sequence: string): Pen {
  const from = pen.length + sequence.length - MOST / 2;
  if (pen.length < from) return RESET;
  const kept = [sequence];
  let one: Pen | undefined = pen;
  for (; one !== undefined && one.length - one.sequence.length >= from; one = one.before) {
    kept.push(one.sequence);
  }
  return kept.reduceRight((before, next) => new Pen(before, next), RESET);
}

/** True for colours that are nothing but those a terminal has without any. */
export function isPlainPen(pen: Pen): boolean {
  return pen === NO_PEN || pen === RESET || pen === SHORT_RESET;
}

/** What must be written to come from the colours `from` to the colours `to`. */
export function penChange(from: Pen, to: Pen): string {
  if (from === to || (isPlainPen(from) && isPlainPen(to))) return "";
  if (begins(from, to)) return to.textBehind(from.length);
  return to.isReset || isPlainPen(from) ? to.text : RESET.sequence + to.text;
}

/** Characters of `penChange`. */
export function penChangeLength(from: Pen, to: Pen): number {
  if (from === to || (isPlainPen(from) && isPlainPen(to))) return 0;
  if (begins(from, to)) return to.length - from.length;
  return to.isReset || isPlainPen(from) ? to.length : RESET.length + to.length;
}

/** No less than `penChangeLength`, and quick. */
export function mostPenChange(from: Pen, to: Pen): number {
  let pen: Pen | undefined = to;
  for (let i = 0; i < NEAR && pen !== undefined; i++, pen = pen.before) {
    if (pen === from) return to.length - from.length;
  }
  return to.length + RESET.length;
}

/** Whether the sequences of `to` begin with those of `from`. */
function begins(from: Pen, to: Pen): boolean {
  let one: Pen | undefined = to;
  while (one !== undefined && one.length > from.length) one = one.before;
  let other: Pen | undefined = from;
  while (one !== other) {
    if (one === undefined || other === undefined || one.length !== other.length) return false;
    if (one.sequence !== other.sequence) return false;
    one = one.before;
    other = other.before;
  }
  return true;
}
