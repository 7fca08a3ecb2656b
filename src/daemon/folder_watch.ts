import type { Clock } from "../io/clock.ts";
import type { DaemonLog } from "../io/daemon_log.ts";
import type { DataFolder } from "./data_folder.ts";

/** Between two looks at the data folder, ms. */
const lookEvery = 2_000;

/**
 * Says when the data folder is taken away from a daemon that runs. It goes on with the files that it has open, which
 * nobody can find any more, and nothing keeps another daemon from the folder.
 */
export class FolderWatch {
  readonly #clock: Clock;
  readonly #folder: Pick<DataFolder, "path" | "isHeld">;
  readonly #log: Pick<DaemonLog, "error" | "info">;
  #isGone = false;
  #cancel: () => void = () => {};

  constructor(
    clock: Clock,
    { folder, log }: { folder: Pick<DataFolder, "path" | "isHeld">; log: Pick<DaemonLog, "error" | "info"> },
  ) {
    this.#clock = clock;
    this.#folder = folder;
    this.#log = log;
  }

  start(): void {
    this.#look();
    this.#cancel = this.#clock.after(lookEvery, () => this.start());
  }

  close(): void {
    this.#cancel();
  }

  #look(): void {
    const isGone = !this.#folder.isHeld();
    if (isGone === this.#isGone) return;
    this.#isGone = isGone;
    const { path } = this.#folder;
    if (!isGone) return this.#log.info("the data folder is back", { path });
    this.#log.error(
      "the data folder, or daemon.pid in it, has been removed or replaced while the daemon runs: what it stores is lost " +
        "with its end, and another daemon could start beside it; put the folder back, or restart the daemon",
      { path },
    );
  }
}
