import { bad, type Finding, ok, warn } from "./finding.ts";

/** What a daemon says of itself. */
export interface Identity {
  version: string;
  pid: number;
  dataDir: string;
}

/** What was seen of the daemon of a data folder. */
export interface DaemonSeen {
  dataDir: string;
  /** The pid that holds the folder, empty where that is not known; absent: nobody does. */
  holder?: string;
  socketPath: string;
  socket: "absent" | "no_socket" | "stale" | "forbidden" | "silent" | "other" | "svc";
  /** With `svc`. */
  identity?: Identity;
  /** Version of the program that looks. */
  version: string;
}

/** Whether the daemon, or nobody, is where it should be. */
export function judgeDaemon(seen: DaemonSeen): Finding {
  const check = "daemon";
  const { dataDir, holder, socketPath, socket, identity, version } = seen;
  const named = `control socket ${socketPath}`;
  if (socket === "svc" && identity !== undefined) {
    if (identity.dataDir !== dataDir) {
      return bad(
        check,
        `${named} belongs to the daemon of ${identity.dataDir} (pid ${identity.pid})`,
        "name another with --socket, or that data folder with --data",
      );
    }
    const text = `svc ${identity.version} runs, pid ${identity.pid}`;
    if (identity.version === version) return ok(check, text);
    return warn(
      check,
      `${text}, but this program is ${version}`,
      "restart the daemon to have it run this one",
    );
  }
  if (socket === "forbidden") {
    return bad(
      check,
      `${named} belongs to another user`,
      "run svc as that user or as root, or log in with --url",
    );
  }
  if (holder !== undefined) {
    const who = holder === "" ? "a daemon" : `a daemon (pid ${holder})`;
    return bad(
      check,
      `${who} holds the data folder, but does not answer at ${named}`,
      "wait a moment if it is just starting; else look at its log, and restart it",
    );
  }
  switch (socket) {
    case "no_socket":
      return bad(check, `${socketPath} is no socket: a daemon would put its own in place`, "move it away");
    case "silent":
    case "other":
    case "svc":
      return bad(
        check,
        `something else than a svc daemon listens at ${named}`,
        "end it, or name another with --socket",
      );
    case "stale":
      return warn(
        check,
        `none runs; ${named} is what one left that died`,
        'start one with "svc daemon": it replaces the socket',
      );
    case "absent":
      return warn(check, "none runs", 'start one with "svc daemon"');
  }
}

/** What was seen of the port that a daemon has, or would take. */
export interface PortSeen {
  host: string;
  port: number;
  /** `answers` and `silent` are of the daemon that runs, the others of a port that one would take. */
  state: "answers" | "silent" | "free" | "taken" | "forbidden" | "no_address";
  /** The daemon that has a taken one. */
  by?: Identity;
}

/** Whether the daemon's address can be had, or be reached. */
export function judgePort({ host, port, state, by }: PortSeen): Finding {
  const check = "port";
  const address = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  switch (state) {
    case "answers":
      return ok(check, `the daemon answers at ${address}`);
    case "silent":
      return bad(check, `the daemon does not answer at ${address}`, "look at its log, and restart it");
    case "free":
      return ok(check, port === 0 ? "any free one is taken" : `${address} is free`);
    case "taken":
      return bad(
        check,
        by === undefined
          ? `${address} is in use by another program`
          : `${address} is in use by the daemon of ${by.dataDir} (pid ${by.pid})`,
        "end that one, or choose another with --port",
      );
    case "forbidden":
      return bad(
        check,
        `this user may not listen at ${address}`,
        "choose a port from 1024 on with --port, and put a proxy before it",
      );
    case "no_address":
      return bad(check, `this machine has no address ${host}`, "choose one that it has with --host");
  }
}
