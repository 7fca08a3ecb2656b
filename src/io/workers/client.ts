import { Fault } from "../../fault.ts";
import { restoreProgram } from "../restore_program.ts";

/** Work that another thread does. */
export interface WorkerClient<Job, Outcome> {
  /**
   * Fails when the work itself breaks down, or the worker's files are gone for good (`Fault`). `sent` is called once a
   * worker is there and has been given the job. Fails with `GivenUp` where `close` comes first.
   */
  ask(job: Job, sent?: () => void): Promise<Outcome>;
  /** Gives up what is under way, which fails; a later job starts a worker anew, unless it was a lasting one. */
  close(): void;
}

/** What goes to a worker, and what comes back. */
export interface Order<Job> {
  order: number;
  job: Job;
}
export type Report<Outcome> = "ready" | { order: number; outcome: Outcome } | {
  order: number;
  error: string;
};

/** Where the work is done: `entry` is the address of the program, which serves the jobs of a worker of this name. */
export interface WorkerOptions {
  entry: string;
  name: string;
  /** Folders and files that the worker may read (`true`: all), and that it may write; nothing else is open to it. */
  read?: string[] | true;
  write?: string[];
  /** It may open connections (`true`: any), which the main thread can't let it do for ever. */
  net?: string[] | true;
  /** Started at once and kept for good, since what it may do can't be given again; `broke` hears when it breaks down. */
  lasting?: { broke: (why: string) => void };
}

/** Why work fails whose worker was ended on purpose, as it is when a daemon stops: who asked may ask again. */
export class GivenUp extends Fault {
  constructor() {
    super("stopping", "the daemon has given up what it was asked for, since it stops: ask again");
  }
}

/** A worker that has nothing to do for this long is ended, ms. */
const idleTime = 30_000;

/** Has a worker do jobs; unless it is `lasting` it is started for the first, and ended when there has been none for a while. */
export function workerClient<Job, Outcome>(options: WorkerOptions): WorkerClient<Job, Outcome> {
  const { lasting } = options;
  let worker: Worker | undefined;
  /** Why there will be no worker any more. */
  let over: string | undefined;
  /** Resolves once the worker listens: what is said to it before is lost. */
  let listening: Promise<void> = Promise.resolve();
  let idle: ReturnType<typeof setTimeout> | undefined;
  let last = 0;
  /** How often the worker was ended. */
  let ends = 0;
  const waiting = new Map<number, { resolve: (outcome: Outcome) => void; reject: (error: Error) => void }>();

  function end(): void {
    ends++;
    clearTimeout(idle);
    worker?.terminate();
    worker = undefined;
    fail(new GivenUp());
  }

  function fail(why: Error): void {
    for (const { reject } of waiting.values()) reject(why);
    waiting.clear();
  }

  function start(): Worker {
    const started = new Worker(options.entry, {
      type: "module",
      name: options.name,
      deno: {
        permissions: {
          read: options.read ?? false,
          write: options.write ?? false,
          net: options.net ?? false,
          env: false,
          run: false,
          sys: false,
          ffi: false,
        },
      },
    });
    const { promise, resolve: listens } = Promise.withResolvers<void>();
    listening = promise;
    started.onmessage = ({ data }: MessageEvent<Report<Outcome>>) => {
      if (data === "ready") return listens();
      const asked = waiting.get(data.order);
      waiting.delete(data.order);
      if ("outcome" in data) asked?.resolve(data.outcome);
      else asked?.reject(new Error(data.error));
      if (waiting.size === 0 && lasting === undefined) idle = setTimeout(end, idleTime);
    };
    started.onerror = (event) => {
      event.preventDefault();
      const why = `the work broke down: ${event.message}`;
      fail(new Error(why));
      if (lasting !== undefined && over === undefined) {
        over = why;
        lasting.broke(event.message);
      }
      end();
    };
    return started;
  }

  if (lasting !== undefined) worker = start();

  return {
    async ask(job, sent) {
      // One that lasts has been there since before anything could be gone.
      const restored = lasting === undefined ? restoreProgram() : undefined;
      const before = ends;
      if (restored !== undefined) await restored;
      if (ends !== before) throw new GivenUp();
      if (over !== undefined) throw new Error(over);
      clearTimeout(idle);
      const asked = worker ??= start();
      const order = ++last;
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
      waiting.set(order, { resolve, reject });
      void listening.then(() => {
        asked.postMessage({ order, job } satisfies Order<Job>);
        sent?.();
      }).catch(reject);
      return await promise;
    },
    close() {
      if (lasting !== undefined) over ??= "the worker was ended";
      end();
    },
  };
}
