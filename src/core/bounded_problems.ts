import type { FaultDetail } from "../fault.ts";

/** Problems of one request that are told, at most: who sends thousands of faults must not get thousands of answers. */
const most = 100;
/** Longest text of a request that an answer repeats, in characters. */
const longest = 200;

/** Collects the problems of a request: the first hundred, and how many more there are. */
export class BoundedProblems {
  readonly #first: FaultDetail[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add({ location, message, value }: FaultDetail): void {
    this.#count++;
    if (this.#first.length >= most) return;
    this.#first.push({
      location: clip(location),
      // A message repeats a key and a value, and says something of its own.
      message: clip(message, 5 * longest),
      ...(value === undefined ? {} : { value: typeof value === "string" ? clip(value) : value }),
    });
  }

  /** All that are told; the last one says how many are not. */
  list(): FaultDetail[] {
    const more = this.#count - this.#first.length;
    return more === 0 ? this.#first : [...this.#first, { location: "", message: `and ${more} more` }];
  }
}

/** A text of at most so many characters, its cut shown. */
export function clip(text: string, length = longest): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
}
