import type { Effect } from "./effect.ts";
import { hear, type News } from "./news.ts";
import type { MouseEvent } from "./mouse.ts";
import { paste } from "./paste.ts";
import { point } from "./point.ts";
import { press } from "./press.ts";
import type { State } from "./state.ts";

/** Between two changes that are shown, ms: a flood of news becomes one frame. */
const frame = 50;

/** Holds the state; keys, the mouse and news go in, changes and effects come out. */
export class Store {
  #state: State;
  #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #shownAt = 0;
  readonly #perform: (effect: Effect) => void;

  constructor(state: State, perform: (effect: Effect) => void) {
    this.#state = state;
    this.#perform = perform;
  }

  readonly get = (): State => this.#state;

  /** Calls the listener when there is something else to show; answers how to stop that. */
  readonly subscribe = (listener: () => void): () => void => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  press(key: string): void {
    this.#set(press(this.#state, key));
    // Who types sees what they type at once.
    this.#show();
  }

  paste(text: string): void {
    this.#set(paste(this.#state, text));
    this.#show();
  }

  point(event: MouseEvent): void {
    this.#set(point(this.#state, event));
    this.#show();
  }

  hear(news: News): void {
    this.#set(hear(this.#state, news));
    if (this.#timer !== undefined) return;
    const wait = this.#shownAt + frame - performance.now();
    if (wait <= 0) this.#show();
    else this.#timer = setTimeout(() => this.#show(), wait);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#listeners.clear();
  }

  #set([state, effects]: [State, readonly Effect[]]): void {
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #show(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#shownAt = performance.now();
    for (const listener of this.#listeners) listener();
  }
}
