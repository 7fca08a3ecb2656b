/** The head of an answer by HTTP/1.1, as far as it is used here. */
export interface AnswerHead {
  status: number;
  headers: [name: string, value: string][];
}

/** Reads the text of a head, from its status line to before the empty line; undefined for what is none. */
export function parseHead(text: string): AnswerHead | undefined {
  const [first = "", ...lines] = text.split(/\r?\n/);
  const status = /^HTTP\/1\.[01] ([1-5]\d\d)(?: |$)/.exec(first)?.[1];
  if (status === undefined) return undefined;
  const headers = lines.flatMap((line): AnswerHead["headers"] => {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*?)[ \t]*$/.exec(line) ??
      [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
  return { status: Number(status), headers };
}

/** Where the head of an answer ends in what was read of it so far: the lengths of head and empty line; undefined: not yet. */
export function headEnd(text: string): { length: number; rest: number } | undefined {
  const match = /\r?\n\r?\n/.exec(text);
  return match === null ? undefined : { length: match.index, rest: match.index + match[0].length };
}

/** Takes a body that comes in chunks apart; its sizes must be well formed, else it counts as ended. */
export class Unchunker {
  /** What is left of the present chunk, the line break behind it included. */
  #left = 0;
  #size = "";
  #hasEnded = false;

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The bytes of the body among those that came. */
  push(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    const body = new Uint8Array(bytes.length);
    let length = 0;
    for (let at = 0; at < bytes.length && !this.#hasEnded;) {
      if (this.#left === 0) {
        this.#readSize(bytes[at++]!);
        continue;
      }
      const part = bytes.subarray(at, at + this.#left);
      const own = part.subarray(0, Math.max(0, this.#left - 2));
      body.set(own, length);
      length += own.length;
      this.#left -= part.length;
      at += part.length;
    }
    return body.subarray(0, length);
  }

  #readSize(byte: number): void {
    const char = String.fromCharCode(byte);
    if (char !== "\n") {
      // What stands behind a size is an extension, which may be long.
      if (this.#size.length < 20) this.#size += char;
      return;
    }
    const size = /^([\da-f]{1,8})(?:[;\s]|$)/i.exec(this.#size)?.[1];
    this.#size = "";
    if (size === undefined || /^0+$/.test(size)) this.#hasEnded = true;
    else this.#left = parseInt(size, 16) + 2;
  }
}
