/// <reference lib="dom" />
import type { Run } from "../data/runs.ts";
import { logWrap } from "../data/settings.ts";
import type { Query } from "./hits.ts";
import type { LineRange } from "./line_hash.ts";
import { LogScroller } from "./log_scroller.ts";
import { LogSearch } from "./log_search.ts";
import { LogSource } from "./log_source.ts";

/** A log that is looked at: its lines, what is searched for in it, and where it is scrolled to. */
export class OpenLog {
  readonly source: LogSource;
  readonly search: LogSearch;
  readonly scroller: LogScroller;
  /** Lines that the address names. */
  selected: LineRange | undefined;
  /** Goes up when rows that are drawn may have to look different. */
  looks = 0;
  readonly #draw: () => void;
  #frame: number | undefined;
  /** Where the log ended when its end was seen last. */
  #seenEnd = 0;
  /** A hit is to be gone to once there is one. */
  #isHitDue = false;
  #isBegun = false;

  /** `draw` is called once a frame at most. */
  constructor(run: Run, draw: () => void) {
    this.#draw = draw;
    this.source = new LogSource(run.id, () => this.#changed());
    this.search = new LogSearch(run, () => this.#searched());
    this.scroller = new LogScroller({
      range: () => this.source,
      isWrapped: () => logWrap.value === "on",
      onMove: () => this.redraw(),
    });
    this.source.onLine((line) => this.search.see(line));
  }

  close(): void {
    this.source.close();
    this.search.close();
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
  }

  /** Draws with the next frame. */
  redraw(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#draw();
    });
  }

  /** Which lines are to be drawn now; asks for those that aren't there. */
  window(): { from: number; to: number } {
    const { from, to } = this.scroller.window();
    this.source.want(from, to, this.scroller.direction);
    return { from, to };
  }

  /** So many lines came below what is seen. */
  newLines(): number {
    if (this.scroller.isFollowing) this.#seenEnd = this.source.end;
    return this.source.end - this.#seenEnd;
  }

  /** Shows lines that an address names. */
  select(lines: LineRange | undefined): void {
    const isNew = lines?.from !== this.selected?.from || lines?.to !== this.selected?.to;
    this.selected = lines;
    if (!isNew) return;
    this.looks++;
    if (lines === undefined) return this.redraw();
    this.scroller.isFollowing = false;
    if (this.#isBegun) this.#showSelected(lines);
  }

  find(query: Query): void {
    this.#isHitDue = query.text !== "";
    this.search.set(query);
  }

  /** Goes to the next hit, or the one before. */
  stepHit(step: 1 | -1): void {
    const line = this.search.step(step);
    if (line === undefined) return;
    this.looks++;
    this.scroller.toLine(line);
  }

  #changed(): void {
    if (!this.#isBegun && this.source.state === "ready") {
      this.#isBegun = true;
      this.#seenEnd = this.source.end;
      if (this.selected !== undefined) this.#showSelected(this.selected);
    }
    this.redraw();
  }

  #showSelected({ from, to }: LineRange): void {
    const { from: first, to: behind } = this.scroller.seen();
    if (from > first && to < behind - 1 && !this.scroller.isFollowing) this.redraw();
    else this.scroller.toLine(from);
  }

  #searched(): void {
    this.looks++;
    const { hits, isSearching } = this.search;
    const from = this.scroller.seen().from;
    // While the daemon searches, a hit behind what is seen may be followed by one within it.
    if (this.#isHitDue && hits.length > 0 && (!isSearching || hits.at(-1)! >= from)) {
      this.#isHitDue = false;
      const line = this.search.startAt(from);
      if (line !== undefined) this.scroller.toLine(line);
    }
    this.redraw();
  }
}
