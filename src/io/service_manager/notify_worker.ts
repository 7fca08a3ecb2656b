/** A message to the program that runs this daemon: where its socket is, and a path for one of our own. */
export interface NotifyJob {
  to: string;
  from: string;
  text: string;
}

/** Does the jobs of the `notify` worker: the main thread may open no connection, not even this one. */
export function notifyJobs(): (job: NotifyJob) => Promise<void> {
  let socket: Deno.DatagramConn | undefined;
  /** One after the other: a socket sends one message at a time. */
  let last: Promise<unknown> = Promise.resolve();
  return ({ to, from, text }) => {
    if (socket === undefined) {
      remove(from);
      socket = Deno.listenDatagram({ transport: "unixpacket", path: from });
      // Nobody answers: the name is needed to open it, and no longer.
      remove(from);
    }
    const open = socket;
    const sent = last.then(async () => {
      await open.send(new TextEncoder().encode(text), { transport: "unixpacket", path: to });
    });
    last = sent.catch(() => {});
    return sent;
  };
}

function remove(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
