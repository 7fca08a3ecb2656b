/// <reference lib="dom" />
import {
  type Anchor,
  anchorAt,
  clamp,
  contentHeight,
  endAnchor,
  type Lines,
  moveBy,
  positionOf,
  sum,
  windowOf,
} from "./scroll_map.ts";

/** The height of a line that isn't wrapped, pixels: `--log-line` of the style sheet. A finger needs more than a mouse. */
export const lineHeight = globalThis.matchMedia?.("(pointer: coarse)").matches ? 24 : 18;
/** Heights of so many lines are remembered. */
const mostHeights = 5000;
/** Scrolling has come to rest after so many ms. */
const rest = 140;
/** A movement further than so many views is a jump. */
const jump = 3;

interface Parts {
  /** What scrolls, what gives it its height, and what holds the lines. */
  box: HTMLElement;
  spacer: HTMLElement;
  block: HTMLElement;
}

interface ScrollerOptions {
  range: () => { first: number; end: number };
  isWrapped: () => boolean;
  /** Something else is to be seen. */
  onMove: () => void;
}

/** Which lines of a log are seen, and where: it keeps an anchor, and the scroll bar in step with it. */
export class LogScroller {
  anchor: Anchor = { n: 0, offset: 0 };
  /** The end is kept in view. */
  isFollowing = true;
  /** Which way it went last. */
  direction = -1;
  readonly #options: ScrollerOptions;
  readonly #heights = new Map<number, number>();
  #total = 0;
  #parts: Parts | undefined;
  #viewport = 0;
  #width = 0;
  #lastTop = 0;
  #isTopDue = true;
  /** A line that is to be in the middle until somebody scrolls: what is around it gets its true height only then. */
  #target: number | undefined;
  #resting: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ScrollerOptions) {
    this.#options = options;
  }

  /** Works on elements until the result is called. */
  attach(parts: Parts): () => void {
    this.#parts = parts;
    const { box } = parts;
    const sizes = new ResizeObserver(() => this.#resized());
    sizes.observe(box);
    const onScroll = (): void => this.#scrolled();
    const onWheel = ({ deltaY }: WheelEvent): void => {
      if (deltaY < 0 && contentHeight(this.#lines()) > this.#viewport) this.isFollowing = false;
    };
    box.addEventListener("scroll", onScroll, { passive: true });
    box.addEventListener("wheel", onWheel, { passive: true });
    this.#resized();
    return () => {
      sizes.disconnect();
      box.removeEventListener("scroll", onScroll);
      box.removeEventListener("wheel", onWheel);
      clearTimeout(this.#resting);
      this.#parts = undefined;
    };
  }

  /** Which lines are to be drawn. */
  window(): { from: number; to: number } {
    const lines = this.#lines();
    this.anchor = this.#anchorIn(lines);
    return windowOf(lines, this.anchor, Math.max(300, this.#viewport * 0.75));
  }

  /** Lines that are seen in full or in part. */
  seen(): { from: number; to: number } {
    return windowOf(this.#lines(), this.anchor, 0);
  }

  /** To be called when the lines of `window()` have been drawn: puts them in their place. */
  drawn({ from }: { from: number }): void {
    const { box, spacer, block } = this.#parts ?? {};
    if (box === undefined || spacer === undefined || block === undefined) return;
    const isOther = this.#measure(block);
    this.#keepWidth(block);
    const lines = this.#lines();
    this.anchor = this.#anchorIn(lines);
    const height = contentHeight(lines);
    spacer.style.height = `${height}px`;
    if (this.isFollowing || this.#isTopDue) {
      this.#isTopDue = false;
      this.#setTop(this.isFollowing ? Math.max(0, height - this.#viewport) : positionOf(lines, this.anchor));
    }
    const above = sum(lines, from, this.anchor.n) + this.anchor.offset;
    block.style.transform = `translateY(${Math.round(this.#lastTop - above)}px)`;
    if (isOther) this.#options.onMove();
  }

  /** Forgets how high lines are: they are shown in another way. */
  forgetHeights(): void {
    this.#heights.clear();
    this.#total = 0;
    this.#isTopDue = true;
    this.#options.onMove();
  }

  toEnd(): void {
    this.isFollowing = true;
    this.#target = undefined;
    this.direction = 1;
    this.#options.onMove();
  }

  toStart(): void {
    this.direction = -1;
    this.#goTo({ n: this.#options.range().first, offset: 0 });
  }

  /** Brings a line to the middle of the view. */
  toLine(n: number): void {
    const lines = this.#lines();
    const line = Math.max(lines.first, Math.min(lines.end - 1, n));
    this.direction = Math.sign(line - this.anchor.n) || 1;
    this.#goTo({ n: line, offset: 0 });
    this.#target = line;
  }

  /** Scrolls so far that a part of a line is seen, where the line is longer or higher than the view. */
  reveal(part: Element): void {
    const { box } = this.#parts ?? {};
    if (box === undefined) return;
    const [view, place] = [box.getBoundingClientRect(), part.getBoundingClientRect()];
    // Line numbers cover the left edge.
    if (place.right > view.right || place.left < view.left + 100) {
      box.scrollLeft += place.left - view.left - view.width / 2;
    }
    const isSeen = place.top >= view.top && place.bottom <= view.bottom;
    if (!isSeen) this.move(place.top - view.top - view.height / 2);
  }

  /** Moves by so many pixels. */
  move(delta: number): void {
    const lines = this.#lines();
    this.direction = Math.sign(delta);
    const anchor = moveBy(lines, this.anchor, delta);
    if (delta > 0 && isSame(anchor, endAnchor(lines))) this.toEnd();
    else this.#goTo(anchor);
  }

  /** How high a line is, or is taken to be. */
  heightOf(n: number): number {
    return this.#lines().heightOf(n);
  }

  /** Moves by a view, less a line. */
  movePage(step: number): void {
    this.move(step * Math.max(lineHeight, this.#viewport - 2 * lineHeight));
  }

  /** Keeps what is seen where it is, and lets new lines come below. */
  pause(): void {
    this.isFollowing = false;
    this.#options.onMove();
  }

  #anchorIn(lines: Lines): Anchor {
    if (this.isFollowing) return endAnchor(lines);
    if (this.#target === undefined) return clamp(lines, this.anchor);
    this.#isTopDue = true;
    return moveBy(lines, { n: this.#target, offset: 0 }, lineHeight - this.#viewport / 2);
  }

  #goTo(anchor: Anchor): void {
    this.isFollowing = false;
    this.#target = undefined;
    this.anchor = anchor;
    this.#isTopDue = true;
    this.#options.onMove();
  }

  #lines(): Lines {
    const isWrapped = this.#options.isWrapped();
    const average = isWrapped && this.#heights.size > 0 ? this.#total / this.#heights.size : lineHeight;
    return {
      ...this.#options.range(),
      average,
      viewport: this.#viewport,
      heightOf: isWrapped ? (n) => this.#heights.get(n) ?? average : () => lineHeight,
    };
  }

  #resized(): void {
    const { box } = this.#parts ?? {};
    if (box === undefined) return;
    const isOtherWidth = box.clientWidth !== this.#width;
    const isOtherHeight = box.clientHeight !== this.#viewport;
    this.#width = box.clientWidth;
    this.#viewport = box.clientHeight;
    if (isOtherWidth && this.#options.isWrapped()) return this.forgetHeights();
    if (isOtherHeight || isOtherWidth) this.#options.onMove();
  }

  #scrolled(): void {
    const { box } = this.#parts ?? {};
    if (box === undefined) return;
    const top = box.scrollTop;
    const delta = top - this.#lastTop;
    if (Math.abs(delta) < 1) return;
    this.#lastTop = top;
    this.#target = undefined;
    this.direction = Math.sign(delta);
    const lines = this.#lines();
    const isNear = Math.abs(delta) <= jump * this.#viewport;
    this.anchor = isNear ? moveBy(lines, this.anchor, delta) : anchorAt(lines, top);
    this.#keepEdges(lines, top);
    if (delta < 0) this.isFollowing = false;
    else if (isSame(this.anchor, endAnchor(lines))) this.isFollowing = true;
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.#rested(), rest);
    this.#options.onMove();
  }

  /** At an edge of the scroll bar nothing further can be scrolled to, so the anchor has to be at that end, too. */
  #keepEdges(lines: Lines, top: number): void {
    const last = endAnchor(lines);
    const far = jump * this.#viewport;
    if (top <= 0) {
      const isFar = positionOf(lines, this.anchor) > far;
      if (isFar) this.#isTopDue = true;
      else this.anchor = { n: lines.first, offset: 0 };
    } else if (top >= contentHeight(lines) - this.#viewport - 1) {
      const isFar = positionOf(lines, last) - positionOf(lines, this.anchor) > far;
      if (isFar) this.#isTopDue = true;
      else this.anchor = last;
    }
  }

  /** The movement has ended: the scroll bar may have drifted from the anchor, and comes back. */
  #rested(): void {
    if (Math.abs(positionOf(this.#lines(), this.anchor) - this.#lastTop) < 1) return;
    this.#isTopDue = true;
    this.#options.onMove();
  }

  #setTop(top: number): void {
    const { box } = this.#parts ?? {};
    if (box === undefined) return;
    if (Math.abs(box.scrollTop - top) >= 1) box.scrollTop = top;
    this.#lastTop = box.scrollTop;
  }

  /** The longest line so far tells how far can be scrolled sideways, so that the bar doesn't jump about. */
  #keepWidth(block: HTMLElement): void {
    if (this.#options.isWrapped()) block.style.minWidth = "";
    else if (block.offsetWidth > this.#width) block.style.minWidth = `${block.offsetWidth}px`;
  }

  /** Takes the heights of what is drawn; whether one is another than was thought. */
  #measure(block: HTMLElement): boolean {
    if (!this.#options.isWrapped()) return false;
    let isOther = false;
    for (const row of block.children) {
      if (!(row instanceof HTMLElement) || row.dataset.n === undefined) continue;
      const n = Number(row.dataset.n);
      const height = row.offsetHeight;
      if (height === 0) continue;
      const before = this.#heights.get(n);
      if (before !== height) isOther = true;
      // What is drawn is the last to be forgotten, else it would be measured for ever.
      this.#heights.delete(n);
      this.#heights.set(n, height);
      this.#total += height - (before ?? 0);
    }
    for (const [n, height] of this.#heights) {
      if (this.#heights.size <= mostHeights) break;
      this.#heights.delete(n);
      this.#total -= height;
    }
    return isOther;
  }
}

function isSame(a: Anchor, b: Anchor): boolean {
  return a.n === b.n && Math.abs(a.offset - b.offset) < 2;
}
