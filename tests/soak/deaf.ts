import type { DaemonProcess } from "../support/daemon_process.ts";

/** Clients that open stream after stream and never read any: a leak that is planted. */
export class DeafStreams {
  readonly #client: Deno.HttpClient;
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #bodies: (ReadableStream<Uint8Array> | null)[] = [];

  /** `every`: seconds from one to the next. */
  constructor(daemon: DaemonProcess, { every }: { every: number }) {
    // Over the control socket there is no share for one client.
    this.#client = Deno.createHttpClient({
      proxy: { transport: "unix", path: `${daemon.dataDir}/svc.sock` },
      poolMaxIdlePerHost: 0,
    });
    this.#timer = setInterval(() => void this.#open(), every * 1000);
  }

  leave(): void {
    clearInterval(this.#timer);
    this.#client.close();
  }

  async #open(): Promise<void> {
    const response = await fetch("http://svc/api/events/stream", { client: this.#client }).catch(() =>
      undefined
    );
    // It is kept, so that nobody collects and closes it.
    this.#bodies.push(response?.body ?? null);
  }
}
