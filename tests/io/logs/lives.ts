import type { SpoolPositions } from "../../../src/core/spool_position.ts";
import { LogStore, type LogWriter } from "../../../src/io/logs/store.ts";
import type { LogOptions } from "../../../src/io/logs/writer.ts";
import type { LogLine } from "../../../src/types.ts";
import { ManualTimer, RUN, UNCAPPED, UNIT, utf8 } from "./fixture.ts";

// No power fails here: what is written need not wait for the disk.
Deno.FsFile.prototype.syncData = () => Promise.resolve();

/** The log of a run whose daemon may die, on a clock of its own: each life has a copy of the folder as the last left it. */
export class MortalLogs implements AsyncDisposable {
  /** Unix ms. */
  now = 1_000_000;
  store!: LogStore;
  writer!: LogWriter;
  /** Of the last death: where to go on, and whether that is known. */
  spooled: SpoolPositions = {};
  isExact = true;
  #root!: string;
  #timer!: ManualTimer;
  readonly #options: LogOptions;
  readonly #roots: string[] = [];
  readonly #stores: LogStore[] = [];

  constructor(options: LogOptions = UNCAPPED) {
    this.#options = options;
    this.#open(Deno.makeTempDirSync({ prefix: "svc-lives-" }));
    Deno.mkdirSync(`${this.#root}/journals`, { mode: 0o700 });
    this.writer = this.store.writer(UNIT, RUN, options);
  }

  get journal(): string {
    return `${this.#root}/journals/${RUN}`;
  }

  get folder(): string {
    return `${this.#root}/logs/${UNIT}/${RUN}`;
  }

  write(text: string | Uint8Array, stream: "stdout" | "stderr" = "stdout"): void {
    this.writer.write(stream, typeof text === "string" ? utf8(text) : text, this.now);
  }

  pass(ms: number): void {
    this.now += ms;
    this.#timer.advance(ms);
  }

  /** The daemon dies, and another one begins where it was; `meanwhile` something may happen to its files. */
  die(
    { meanwhile, options = this.#options }: { meanwhile?: () => void; options?: Pick<LogOptions, "mask"> } =
      {},
  ): void {
    const { writer } = this;
    const root = Deno.makeTempDirSync({ prefix: "svc-lives-" });
    copy(this.#root, root);
    // It goes on with what it knew, and nobody sees that.
    writer.close();
    this.#open(root);
    meanwhile?.();
    ({ writer: this.writer, spooled: this.spooled, isExact: this.isExact } = this.store.resume(UNIT, RUN, {
      mask: options.mask,
      at: this.now,
    }));
  }

  lines(): LogLine[] {
    return this.store.page(UNIT, RUN, { from: 0, limit: 1_000_000, finalized: false, partial: false }).lines;
  }

  texts(): string[] {
    return this.lines().map(({ text }) => text);
  }

  #open(root: string): void {
    this.#roots.push(root);
    this.#root = root;
    this.#timer = new ManualTimer();
    this.store = new LogStore(`${root}/logs`, this.#timer, { journals: `${root}/journals` });
    this.#stores.push(this.store);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.writer.close();
    for (const store of this.#stores) await store.synced();
    for (const root of this.#roots) Deno.removeSync(root, { recursive: true });
  }
}

function copy(from: string, to: string): void {
  Deno.mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const { name, isDirectory } of Deno.readDirSync(from)) {
    if (isDirectory) copy(`${from}/${name}`, `${to}/${name}`);
    else Deno.copyFileSync(`${from}/${name}`, `${to}/${name}`);
  }
}
