import { Dict, List, piecesOf, Text, textOf, Unread, type Value } from "./value.ts";

/** Why an app can't be taken. */
export class AppFault extends Error {
  override readonly name = "AppFault";
}

/** The keys of an app, by their usual names; a value that would need running is thrown as `AppFault`. */
export class Fields {
  readonly #entries = new Map<string, { value: Value; line: number; key: string }>();

  /** `usual` gives the usual name of a key. */
  constructor(readonly dict: Dict, usual: (key: string) => string) {
    for (const [key, { value, line }] of dict.entries) {
      if (value !== undefined) this.#entries.set(usual(key), { value, line, key });
    }
  }

  /** All keys with their values and lines. */
  all(): IterableIterator<[string, { value: Value; line: number; key: string }]> {
    return this.#entries.entries();
  }

  /** The line of a key. */
  line(key: string): number {
    return this.#entries.get(key)?.line ?? 0;
  }

  /** The value of the first of some keys that is there. */
  value(...keys: readonly string[]): Value {
    for (const key of keys) {
      const entry = this.#entries.get(key);
      if (entry === undefined || entry.value === null) continue;
      if (entry.value instanceof Unread) throw this.fault(key, entry.value.why);
      return entry.value;
    }
    return undefined;
  }

  /** Text, in which variables may stand; numbers and truths are text, too. An empty one is none, as in pm2. */
  text(...keys: readonly string[]): string | Text | undefined {
    const value = this.value(...keys);
    if (value === undefined) return undefined;
    const pieces = piecesOf(value);
    if (pieces === undefined) throw this.fault(keys[0] ?? "", "text is due");
    const text = textOf(pieces);
    return text === "" ? undefined : text;
  }

  /** Text that is known as a whole. */
  plain(...keys: readonly string[]): string | undefined {
    const text = this.text(...keys);
    if (text instanceof Text) throw this.fault(keys[0] ?? "", "it depends on the environment");
    return text;
  }

  /** A number, perhaps written as text. */
  number(key: string): number | undefined {
    const text = this.plain(key);
    if (text === undefined || text === "") return undefined;
    const number = Number(text);
    if (Number.isFinite(number)) return number;
    throw this.fault(key, `${JSON.stringify(text)} is no number`);
  }

  /** A truth, perhaps written as text. */
  flag(key: string, fallback: boolean): boolean {
    const text = this.plain(key);
    if (text === undefined) return fallback;
    if (text === "true" || text === "false") return text === "true";
    throw this.fault(key, "true or false is due");
  }

  /** Milliseconds, as a number or as text such as "10s". */
  time(key: string): number | undefined {
    const text = this.plain(key);
    if (text === undefined || text === "") return undefined;
    const [, amount, unit = "ms"] = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)?$/.exec(text) ?? [];
    if (amount === undefined) throw this.fault(key, `${JSON.stringify(text)} is no time`);
    return Number(amount) * { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[unit as "ms" | "s" | "m" | "h"];
  }

  /** The items of a list, each as text; one text is a list of itself. */
  texts(key: string): (string | Text)[] {
    const value = this.value(key);
    if (value === undefined) return [];
    const items = value instanceof List ? value.items : [{ value }];
    return items.map(({ value: item }) => {
      if (item instanceof Unread) throw this.fault(key, item.why);
      const pieces = piecesOf(item);
      if (pieces === undefined) throw this.fault(key, "a list of texts is due");
      return textOf(pieces);
    });
  }

  /** What is wrong with a key, with its line. */
  fault(key: string, why: string): AppFault {
    const line = this.line(key);
    return new AppFault(`${key}${line > 0 ? ` (line ${line})` : ""}: ${why}`);
  }
}
