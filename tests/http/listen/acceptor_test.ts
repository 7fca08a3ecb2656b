import assert from "node:assert/strict";
import { Acceptor, type AcceptorOptions, type Source } from "../../../src/http/listen/acceptor.ts";
import { SpareDescriptors } from "../../../src/http/listen/spare_descriptors.ts";

/** A listener that answers accept with what it is told to, one after another, and then waits until it is closed. */
class NastySource implements Source {
  readonly #script: (() => Deno.Conn)[];
  readonly #closed = Promise.withResolvers<Deno.Conn>();

  constructor(script: (() => Deno.Conn)[]) {
    this.#script = script;
  }

  accept(): Promise<Deno.Conn> {
    const next = this.#script.shift();
    return next === undefined ? this.#closed.promise : new Promise((resolve) => resolve(next()));
  }

  close(): void {
    this.#closed.reject(new Deno.errors.BadResource("closed"));
    this.#closed.promise.catch(() => {});
  }
}

const full = (): never => {
  throw Object.assign(new Error("Too many open files (os error 24)"), { code: "EMFILE" });
};
const aborted = (): never => {
  throw new Deno.errors.ConnectionAborted("gone before it was accepted");
};
const gone = (): never => {
  throw new Deno.errors.BadResource("Bad resource ID");
};

function connection(): { connection: Deno.Conn; isClosed: () => boolean } {
  let isClosed = false;
  const close = (): void => void (isClosed = true);
  return { connection: { close } as unknown as Deno.Conn, isClosed: () => isClosed };
}

interface Played {
  admitted: Deno.Conn[];
  pauses: number[];
  told: string[];
  /** Resolves when so many have been admitted. */
  until: (count: number) => Promise<void>;
  acceptor: Acceptor;
}

function play(script: (() => Deno.Conn)[], own: Partial<AcceptorOptions> = {}): Played {
  const admitted: Deno.Conn[] = [];
  const pauses: number[] = [];
  const told: string[] = [];
  const waits: { count: number; resolve: () => void }[] = [];
  const tell = (level: string) => (message: string): void => void told.push(`${level}: ${message}`);
  const acceptor = new Acceptor(new NastySource(script), {
    name: "x",
    log: { info: tell("info"), warn: tell("warn"), error: tell("error") },
    admit: (one) => {
      admitted.push(one);
      for (const { count, resolve } of waits) if (admitted.length >= count) resolve();
    },
    relieve: () => false,
    spares: new SpareDescriptors(0),
    servesBySpares: false,
    open: () => {
      throw new Error("not allowed");
    },
    pause: (ms) => {
      pauses.push(ms);
      return Promise.resolve();
    },
    ...own,
  });
  const until = (count: number): Promise<void> =>
    new Promise((resolve) => admitted.length >= count ? resolve() : waits.push({ count, resolve }));
  return { admitted, pauses, told, until, acceptor };
}

Deno.test("Acceptor waits out a time without descriptors, tells it once, and goes on with the same listener", async () => {
  const one = connection();
  const { pauses, told, until, acceptor, admitted } = play([full, full, full, full, () => one.connection]);
  await until(1);
  assert.deepEqual(admitted, [one.connection]);
  assert.deepEqual(pauses, [5, 10, 20, 40]);
  assert.equal(told.length, 2);
  assert.match(told[0]!, /^error: x can't take connections: no file descriptor is left/);
  assert.match(told[1]!, /^info: x takes connections again/);
  await acceptor.close();
});

Deno.test("Acceptor takes no error of accept for its end", async () => {
  const { until, acceptor, told } = play([aborted, () => connection().connection]);
  await until(1);
  assert.match(told[0]!, /it is tried again/);
  await acceptor.close();
});

Deno.test("Acceptor ends an idle client when descriptors are short, and tries at once", async () => {
  let relieved = 0;
  const { until, pauses, acceptor } = play([full, () => connection().connection], {
    relieve: () => ++relieved > 0,
  });
  await until(1);
  assert.equal(relieved, 1);
  assert.deepEqual(pauses, [0]);
  await acceptor.close();
});

/** Spare descriptors that can only be taken back while `free` says so. */
function spares(most: number): { spares: SpareDescriptors; setFree: (isFree: boolean) => void } {
  let isFree = true;
  const open = (): Disposable => {
    if (!isFree) throw new Error("Too many open files");
    return { [Symbol.dispose]: () => {} };
  };
  return { spares: new SpareDescriptors(most, open), setFree: (to) => isFree = to };
}

Deno.test("Acceptor turns a client away by its spare descriptor rather than to let it wait", async () => {
  const { spares: own, setFree } = spares(1);
  setFree(false);
  const [first, second] = [connection(), connection()];
  const { until, acceptor, admitted } = play([
    full,
    () => first.connection,
    () => {
      setFree(true);
      return second.connection;
    },
  ], { spares: own });
  await until(1);
  assert.ok(first.isClosed());
  assert.deepEqual(admitted, [second.connection]);
  assert.ok(!own.isShort);
  await acceptor.close();
});

Deno.test("Acceptor of the control socket serves by its spare descriptors", async () => {
  const { spares: own, setFree } = spares(2);
  setFree(false);
  const [first, second, third] = [connection(), connection(), connection()];
  const { until, acceptor, admitted } = play([
    full,
    () => first.connection,
    full,
    () => second.connection,
    () => {
      setFree(true);
      return third.connection;
    },
  ], { spares: own, servesBySpares: true });
  await until(3);
  assert.deepEqual(admitted, [first.connection, second.connection, third.connection]);
  assert.ok(!own.isShort);
  await acceptor.close();
});

Deno.test("Acceptor opens a listener again that has ended, and tells it", async () => {
  const one = connection();
  const { until, acceptor, told } = play([gone], { open: () => new NastySource([() => one.connection]) });
  await until(1);
  assert.match(told[0]!, /^error: x had ended and was opened again/);
  await acceptor.close();
});

Deno.test("Acceptor tells once that a listener can't be opened again, and still ends when it is closed", async () => {
  const tries = Promise.withResolvers<void>();
  let count = 0;
  const { acceptor, told } = play([gone], {
    open: () => {
      if (++count === 3) tries.resolve();
      throw new Error("Requires net access");
    },
    pause: () => new Promise((resolve) => setTimeout(resolve, 0)),
  });
  await tries.promise;
  await acceptor.close();
  assert.equal(told.length, 1);
  assert.match(told[0]!, /^error: x has ended and can't be opened again: restart the daemon/);
});
