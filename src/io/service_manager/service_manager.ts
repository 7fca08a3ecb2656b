import { messageOf } from "../../fault.ts";
import type { Clock } from "../clock.ts";
import { workerClient } from "../workers/client.ts";
import type { NotifyJob } from "./notify_worker.ts";

/** What is told to the program that runs this daemon, in the protocol of sd_notify(3). Nothing is told where none asks. */
export interface ServiceManager {
  /**
   * The daemon is not ready yet, and tells so until it is: a database may take its time, and so may what an earlier
   * daemon left. Resolves once that is told (or can't be): a main thread that stands still tells nothing.
   */
  starting(): Promise<void>;
  /** Units start from now on; `status` is a line for people. Begins to tell that the daemon lives, where that is watched. */
  ready(status: string): void;
  /** The daemon stops; it may take another `ms`. */
  stopping(ms: number): void;
  /** The daemon ends, and another goes on with its work: for the manager that is no stop. */
  leaving(): void;
  close(): void;
}

/** How the environment asks. */
export interface Watched {
  socket: string;
  /** How long the daemon may be silent, ms; undefined where nobody watches. */
  silence: number | undefined;
}

/** Reads `NOTIFY_SOCKET` and `WATCHDOG_USEC`; undefined where nobody wants to be told. */
export function watchedBy(env: Record<string, string | undefined>, pid: number): Watched | undefined {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: usec, WATCHDOG_PID: watched } = env;
  // One in the abstract namespace can't be reached from here; systemd itself has used a file since 2013.
  if (socket === undefined || !socket.startsWith("/")) return undefined;
  const silence = Number(usec) / 1000;
  const isOurs = watched === undefined || watched === String(pid);
  return { socket, silence: isOurs && silence > 0 ? silence : undefined };
}

/**
 * What a start asks for, ms: first for what holds up the main thread, which can't tell anything meanwhile (a large
 * database after a crash), then for as long as it goes on, again and again.
 */
const longestStandstill = 600_000;
const extension = 120_000;
const extendEvery = 20_000;
/** How long a start waits until the first of it is told, ms. */
const longestTelling = 5_000;

const nobody: ServiceManager = {
  starting: () => Promise.resolve(),
  ready() {},
  stopping() {},
  leaving() {},
  close() {},
};

/**
 * Speaks to systemd, or whatever speaks its language. Has to be called before the main thread gives up its right to
 * open connections. `folder` is one that the daemon may write to.
 */
export function serviceManager(
  watched: Watched | undefined,
  { entry, clock, folder, failed }: {
    entry: string;
    clock: Clock;
    folder: string;
    /** Hears why something could not be told, once. */
    failed: (why: string) => void;
  },
): ServiceManager {
  if (watched === undefined) return nobody;
  const { socket: to, silence } = watched;
  const from = `${folder}/notify.sock`;
  const worker = workerClient<NotifyJob, void>({
    entry,
    name: "notify",
    read: [folder, to],
    write: [folder, to],
    net: [`unix:${to}`, `unix:${from}`],
    lasting: { broke: (why) => fail(why) },
  });
  let isClosed = false;
  let hasFailed = false;
  const fail = (why: string): void => {
    if (!isClosed && !hasFailed) failed(why);
    hasFailed = true;
  };
  let cancel: () => void = () => {};
  const tell = (lines: readonly string[]): Promise<void> =>
    worker.ask({ to, from, text: lines.join("\n") }).catch((error) => fail(messageOf(error)));
  /** By the timer of the main thread: one that stands still must not look alive. */
  const live = (): void => {
    if (silence === undefined || isClosed) return;
    void tell(["WATCHDOG=1"]);
    cancel = clock.after(silence / 2, live);
  };
  return {
    starting() {
      const extend = (ms: number): Promise<void> => {
        cancel = clock.after(extendEvery, () => void extend(extension));
        return tell([`EXTEND_TIMEOUT_USEC=${ms * 1000}`, "STATUS=starting"]);
      };
      const { promise, resolve } = Promise.withResolvers<void>();
      const giveUp = clock.after(longestTelling, resolve);
      return Promise.race([extend(longestStandstill), promise]).finally(giveUp);
    },
    ready(status) {
      cancel();
      void tell(["READY=1", `STATUS=${status}`]);
      live();
    },
    stopping(ms) {
      void tell(["STOPPING=1", "STATUS=stopping", `EXTEND_TIMEOUT_USEC=${ms * 1000}`]);
    },
    leaving() {
      void tell(["STATUS=handing over"]);
    },
    close() {
      isClosed = true;
      cancel();
      worker.close();
    },
  };
}
