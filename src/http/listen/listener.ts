import type { Listener } from "./door.ts";
import { Acceptor, type Source } from "./acceptor.ts";
import { Hall, type HallOptions } from "./hall.ts";
import { SpareDescriptors } from "./spare_descriptors.ts";

/** Of what descriptors are short a connection of these may be accepted all the same. */
const sparesOf = { tcp: 1, socket: 8 };

export interface ListenerOptions extends HallOptions {
  kind: "tcp" | "socket";
  /** Begins to listen; throws where it can't. */
  open: () => Deno.Listener;
}

/** A listener that serves at most so many clients, each in its time, until it is closed. Throws what `open` throws. */
export function boundedListener({ kind, open, ...given }: ListenerOptions): Listener & { hall: Hall } {
  const source = open();
  const { addr } = source;
  // Where any port was asked for, this tells which.
  const name = addr.transport === "tcp" ? given.name.replace(/:0$/, `:${addr.port}`) : given.name;
  const options = { ...given, name };
  const hall = new Hall(options);
  const spares = new SpareDescriptors(sparesOf[kind]);
  const acceptor = new Acceptor(source as Source, {
    name,
    log: options.log,
    admit: (connection) => hall.admit(connection),
    relieve: () => hall.relieve(),
    spares,
    servesBySpares: kind === "socket",
    open,
    pause,
  });
  return {
    hall,
    name,
    get open() {
      return hall.open;
    },
    port: addr.transport === "tcp" ? addr.port : 0,
    async close() {
      await acceptor.close();
      spares.close();
      await hall.close();
    },
  };
}

/** Waits, or until the signal. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}
