import { LogStore } from "../../io/logs/store.ts";
import type { LogOptions, LogTimer, LogWriter, OutputStream } from "../../io/logs/writer.ts";

/** Where the output of a run goes as it comes, and what is said about the run. */
export interface Echo {
  output(stream: OutputStream, bytes: Uint8Array): void;
  say(text: string): void;
}

/** Logs as a daemon writes them, for the sake of all that goes by them, whose output is handed on as well. */
export class EchoLogs extends LogStore {
  readonly #echo: Echo;

  constructor(root: string, options: { timer: LogTimer; echo: Echo }) {
    super(root, options.timer);
    this.#echo = options.echo;
  }

  override writer(unit: string, runId: string, options: LogOptions): LogWriter {
    const hear = (stream: OutputStream, bytes: Uint8Array): void => this.#echo.output(stream, bytes);
    const writer = super.writer(unit, runId, { ...options, hear });
    const system = writer.system.bind(writer);
    writer.system = (text, at) => {
      this.#echo.say(text);
      system(text, at);
    };
    return writer;
  }
}
