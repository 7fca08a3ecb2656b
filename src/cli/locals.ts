import type { Problem } from "../types.ts";
import type { Context } from "./command.ts";
import type { Connection } from "./connection.ts";

/** The global flags, as far as they were given. A flag beats its variable, which beats the default. */
export interface GlobalFlags {
  config?: string;
  data?: string;
  socket?: string;
  host?: string;
  port?: number;
  url?: string;
  json?: boolean;
  logLevel?: "debug" | "info" | "warn" | "error";
  logFormat?: "auto" | "text" | "json";
}

/** The flags that say where things are. */
export type PlaceFlags = Pick<GlobalFlags, "config" | "data" | "socket">;

/** What a check of a configuration found. */
export interface Validation {
  schema_version: 1;
  valid: boolean;
  errors: Problem[];
  warnings: Problem[];
}

/** What works without a daemon; handed in by the program, since this room knows a daemon over HTTP only. Each may throw `Fault`. */
export interface Locals {
  version: string;
  /** Where the daemon's data folder ("" when only the socket is known) and control socket are. */
  findDaemon(flags: PlaceFlags): Promise<{ dataDir: string; socketPath: string }>;
  /** The configuration file that a daemon would read. */
  findConfig(flags: PlaceFlags): Promise<string>;
  /** Runs a daemon in the foreground; answers the exit code. */
  runDaemon(flags: GlobalFlags): Promise<number>;
  validate(path: string): Promise<Validation>;
  renderValidation(validation: Validation): Promise<string[]>;
  /** The JSON Schema of the configuration file. */
  configSchema(): Promise<object>;
  /** Opens the terminal UI; answers the exit code. */
  openTui(context: Context, connection: Connection): Promise<number>;
  /** Writes a starter configuration where there is none; answers its path, and whether it is new. */
  prepareStarter(flags: PlaceFlags): Promise<{ path: string; isNew: boolean }>;
  /** Starts a daemon that outlives this program, and waits until `isReady`; answers the file that its log goes to. */
  startBackground(flags: GlobalFlags, isReady: () => Promise<boolean>): Promise<string>;
  /** Makes the folder of the demonstration where it is missing; answers the path of its configuration file. */
  prepareDemo(folder: string): Promise<string>;
}
