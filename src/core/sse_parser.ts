/** One server-sent event as it was received. */
export interface SseEvent {
  /** `message` where the event names none. */
  name: string;
  data: string;
  /** Absent when the event carries none of its own. */
  id?: string;
}

/** Takes the text of an event stream apart, in pieces as they come; comments and unfinished events give nothing. */
export class SseParser {
  #rest = "";
  #name = "";
  #id: string | undefined;
  #data: string[] = [];

  /** Answers the events that end in this piece. */
  push(text: string): SseEvent[] {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    const events: SseEvent[] = [];
    for (const line of lines) {
      if (line !== "") this.#field(line);
      else this.#dispatch(events);
    }
    return events;
  }

  #field(line: string): void {
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + (line[colon + 1] === " " ? 2 : 1));
    if (field === "event") this.#name = value;
    else if (field === "data") this.#data.push(value);
    else if (field === "id") this.#id = value;
  }

  #dispatch(events: SseEvent[]): void {
    if (this.#data.length > 0) {
      const event = { name: this.#name || "message", data: this.#data.join("\n") };
      events.push(this.#id === undefined ? event : { ...event, id: this.#id });
    }
    this.#name = "";
    this.#data = [];
    this.#id = undefined;
  }
}
