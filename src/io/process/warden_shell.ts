import { plainEnvironment } from "../programs.ts";
import { endOf } from "./child_end.ts";
import { wardenScript } from "./warden_script.ts";

/** What came of a question: `hung`, nothing within the warden's patience; `died`, its shell ended before it could answer. */
export type Answer = { lines: string[] } | { is: "hung" | "died"; soFar: string[] };

/** The shell of a warden, as long as it answers. */
export class WardenShell {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reader: ReadableStreamDefaultReader<string>;
  readonly #waiting: { give: (answer: Answer) => void; patience: number }[] = [];
  readonly #over: Promise<unknown>;
  #lines: string[] = [];
  #isOver = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = 0;

  constructor(environment: Record<string, string>) {
    this.#child = new Deno.Command("/bin/sh", {
      // Not as an argument: lists of processes would show all of it.
      args: ["-c", 'script=$SVC_WARDEN; unset SVC_WARDEN; eval "$script"', "svc-warden"],
      clearEnv: true,
      env: { ...environment, SVC_WARDEN: wardenScript, ...plainEnvironment },
      cwd: "/",
      // A session of its own: Ctrl-C on the daemon's terminal must not take the warden away first.
      detached: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#reader = this.#child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    this.#over = this.#read();
  }

  ask(question: string, patience: number): Promise<Answer> {
    if (this.#isOver) return Promise.resolve({ is: "died", soFar: [] });
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#waiting.push({ give: resolve, patience });
    if (this.#waiting.length === 1) this.#listen();
    this.#writer.write(new TextEncoder().encode(question + "\n")).catch(() => {});
    return promise;
  }

  /** Ends it in order, or by force where it does not end within `patience` (ms). */
  async close(patience: number): Promise<void> {
    this.#writer.close().catch(() => {});
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, patience);
    await Promise.race([this.#over, late.promise]);
    clearTimeout(timer);
    if (!this.#isOver) this.#abandon();
  }

  async #read(): Promise<void> {
    let rest = "";
    try {
      for (let chunk = await this.#reader.read(); !chunk.done; chunk = await this.#reader.read()) {
        const lines = (rest + chunk.value).split("\n");
        rest = lines.pop() ?? "";
        this.#receive(lines);
      }
    } catch {
      // A pipe that breaks has ended.
    }
    if (this.#isOver) return;
    await endOf(this.#child);
    this.#end("died");
    await this.#writer.abort().catch(() => {}); // gives the pipe back
  }

  #receive(lines: readonly string[]): void {
    for (const line of lines) {
      if (line !== ".") this.#lines.push(line);
      else this.#waiting.shift()?.give({ lines: this.#lines.splice(0) });
    }
    this.#listen();
  }

  /** From now on, and until it says the next word, its patience counts. */
  #listen(): void {
    clearTimeout(this.#timer);
    const [next] = this.#waiting;
    if (next === undefined || this.#isOver) return;
    this.#due = performance.now() + next.patience;
    this.#timer = setTimeout(() => this.#isSilent(next.patience), next.patience);
  }

  #isSilent(patience: number): void {
    // The daemon itself may have stood still, with the answer in the pipe.
    if (performance.now() - this.#due > patience / 2) return this.#listen();
    this.#abandon();
  }

  /** It hangs, perhaps where no signal reaches it: nobody waits for it any more. */
  #abandon(): void {
    for (const target of [-this.#child.pid, this.#child.pid]) {
      try {
        Deno.kill(target, "SIGKILL");
      } catch {
        // It has ended.
      }
    }
    this.#end("hung");
    this.#child.unref();
    void endOf(this.#child);
    this.#reader.cancel().catch(() => {});
    this.#writer.abort().catch(() => {});
  }

  #end(is: "hung" | "died"): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    const soFar = this.#lines.splice(0);
    const [first, ...others] = this.#waiting.splice(0);
    first?.give({ is, soFar });
    for (const { give } of others) give({ is: "died", soFar: [] });
  }
}
