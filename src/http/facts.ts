import type { AuthSetup } from "./auth/auth.ts";

/** What is known of the process itself, for who looks for a fault. */
export interface ProcessFacts {
  /** Of the runtime, by name. */
  versions: { deno: string; v8: string };
  /** Bytes. */
  memory: { rss: number; heapTotal: number; heapUsed: number; external: number };
  /** Of each listener how many are open. */
  connections: { listener: string; open: number }[];
}

/** What the HTTP room must know of the daemon that it speaks for, apart from the engine. */
export interface DaemonFacts {
  version: string;
  /** Identifies this installation; hex. */
  fingerprint: string;
  pid: number;
  dataDir: string;
  configPath: string;
  socketPath: string;
  /** The port that the main listener really has. */
  port: () => number;
  /** Run by systemd or launchd. */
  serviceManaged: boolean;
  authDisabled: boolean;
  /** Who may come in; absent: everybody, and nothing is remembered of sessions. */
  auth?: AuthSetup;
  capabilities: { name: string; available: boolean }[];
  /** Sees to it that the next daemon is on trial; absent where there is none to come. Throws `Fault`. */
  askForTrial?: () => Promise<void>;
  /** Whether something on disk differs from the configuration in force. */
  isConfigStale: () => boolean;
  /** The process at this moment. */
  process: () => ProcessFacts;
  /** Told of errors that are the daemon's own fault. */
  report: (error: Error) => void;
}
