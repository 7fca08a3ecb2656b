/** What a mouse did: a click, or the wheel turned up (-1) or down (1). Columns and rows begin at 0. */
export interface MouseEvent {
  column: number;
  row: number;
  wheel?: -1 | 1;
}

/** Makes a terminal report clicks and the wheel, in the form that has no limit of columns. */
export const mouseOn = "\x1b[?1000h\x1b[?1006h";
/** Leaves the mouse to the terminal again, which selects text with it. */
export const mouseOff = "\x1b[?1000l\x1b[?1006l";

/** Takes the reports of a mouse out of what a terminal sends, also one that comes in two pieces. */
export class MouseReports {
  #begun = "";

  /** The keys of a piece of input, as they came, and what the mouse did. */
  split(piece: string): { keys: string; events: MouseEvent[] } {
    const input = this.#begun + piece;
    // An escape alone is a key of its own, and can't wait for what may follow.
    // deno-lint-ignore no-control-regex -- as terminals send it
    this.#begun = /\x1b\[(<[\d;]*)?$/.exec(input)?.[0] ?? "";
    const whole = input.slice(0, input.length - this.#begun.length);
    const events: MouseEvent[] = [];
    // deno-lint-ignore no-control-regex -- as terminals send it
    const keys = whole.replace(/\x1b\[<(\d+);(\d+);(\d+)([Mm])/g, (_, code, column, row, end) => {
      const event = eventOf(Number(code), end === "M");
      if (event !== undefined) events.push({ ...event, column: Number(column) - 1, row: Number(row) - 1 });
      return "";
    });
    return { keys, events };
  }
}

/** Shift, Alt and Ctrl, which change nothing here. */
const modifiers = 4 + 8 + 16;

function eventOf(code: number, isPress: boolean): Pick<MouseEvent, "wheel"> | undefined {
  switch (code & ~modifiers) {
    case 0:
      return isPress ? {} : undefined;
    case 64:
      return { wheel: -1 };
    case 65:
      return { wheel: 1 };
  }
  return undefined;
}
