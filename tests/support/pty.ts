/** A shell line in a terminal of its own (80 by 24), made by `script`. */
export class Pty implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #keys: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reading: Promise<void>;
  #wake = Promise.withResolvers<void>();
  /** All that was shown so far, with what steers the terminal. */
  output = "";

  constructor(line: string, env: Record<string, string> = {}) {
    const child = new Deno.Command("script", {
      args: [
        "-qfec",
        `stty cols 80 rows 24; before=$(stty -g); ${line}; echo "code $?"; ` +
        `if [ "$before" = "$(stty -g)" ]; then echo "as it was"; else echo changed; fi`,
        "/dev/null",
      ],
      env: {
        LC_ALL: "C.UTF-8",
        TERM: "xterm",
        SHELL: "/bin/sh",
        SVC_URL: "",
        SVC_SOCKET: "",
        SVC_CONFIG: "",
        ...env,
      },
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
      signal: AbortSignal.timeout(40_000),
    }).spawn();
    this.#child = child;
    this.#keys = child.stdin.getWriter();
    this.#reading = (async () => {
      for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
        this.output += text;
        this.#wake.resolve();
        this.#wake = Promise.withResolvers();
      }
      this.#wake.resolve();
    })();
  }

  /** Types as somebody would: keys, or what a terminal sends for them. */
  async type(keys: string): Promise<void> {
    await this.#keys.write(new TextEncoder().encode(keys));
  }

  /** Takes the terminal away, as closing its window does. */
  async hangUp(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.status;
  }

  /** Waits for what comes behind all that was waited for before; answers the match. */
  async sees(pattern: RegExp): Promise<RegExpExecArray> {
    return (await this.seesAll(pattern))[0]!;
  }

  /** As `sees`, for several things that may be drawn in any order. */
  async seesAll(...patterns: RegExp[]): Promise<RegExpExecArray[]> {
    const deadline = performance.now() + 20_000;
    for (;;) {
      const shown = this.output.slice(this.#seen);
      const found = patterns.map((pattern) => pattern.exec(shown)).filter((match) => match !== null);
      if (found.length === patterns.length) {
        this.#seen += Math.max(...found.map((match) => match.index + match[0].length));
        return found;
      }
      const left = deadline - performance.now();
      if (left <= 0) {
        throw new Error(`never saw all of ${patterns.join(", ")} in:\n${JSON.stringify(shown)}`);
      }
      let timer: ReturnType<typeof setTimeout> | undefined;
      await Promise.race([this.#wake.promise, new Promise((resolve) => timer = setTimeout(resolve, left))]);
      clearTimeout(timer);
    }
  }
  #seen = 0;

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#keys.close().catch(() => {});
    await this.#child.status;
    await this.#reading;
  }
}

/** What leaves the other screen and shows the cursor, the mouse and pasted text left to the terminal. */
// deno-lint-ignore no-control-regex -- it is made of them
export const restored = /\x1b\[\?1000l[^]*\x1b\[\?2004l[^]*\x1b\[\?1049l[^]*\x1b\[\?25h/;
