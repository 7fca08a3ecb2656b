import type { Finding } from "../core/doctor/finding.ts";
import type { Imported } from "../importers/import/imported.ts";
import type { RunJson } from "../http/schemas/run.ts";
import type { Config, Problem } from "../types.ts";
import type { Style } from "./style.ts";
import type { Terminal } from "./terminal.ts";
import type { Connection, FindDaemon } from "./connection.ts";
import type { GlobalFlags, PlaceFlags } from "./flags.ts";

/** What a check of a configuration found. */
export interface Validation {
  schema_version: 1;
  valid: boolean;
  errors: Problem[];
  warnings: Problem[];
}

/** A task to run without a daemon, and who hears of it. */
export interface StandaloneOrder {
  task: string;
  params: Record<string, string>;
  echo: {
    output(stream: "stdout" | "stderr", bytes: Uint8Array): void;
    /** What a daemon would write into the run's log. */
    say(text: string): void;
  };
  /** Calls `listener` for each request to end; the result ends that. */
  onInterrupt(listener: () => void): () => void;
}

/** What a restore has done. */
export interface Restored {
  /** The database that is in place now. */
  database: string;
  /** What was there before; absent where there was nothing. */
  kept?: string;
  /** Runs that the backup holds. */
  runs: number;
  /** Version of the schema that the backup was written with. */
  schema: number;
}

/** What is to be imported; no files: the machine's own tables where `system` is set, else standard input. */
export interface ImportOrder {
  kind: string;
  files: string[];
  system: boolean;
  write: boolean;
}

/** What an import did. */
export interface ImportResult {
  imported: Imported;
  /** The units as TOML; "" where there are none. */
  toml: string;
  /** Where they were written, and what the root file must still include. */
  written?: { path: string; root: string; missingInclude?: string };
}

/** Which service of the machine or of a user is meant. */
export interface ServiceTarget {
  scope: "system" | "user";
  name: string;
}

/** What an installation consists of: files, and commands of the service manager. */
export interface ServicePlan {
  file: { path: string; text: string };
  env: { path: string };
  dataDir: string;
  address: { host: string; port: number };
  command: string[];
  commands: string[][];
  /** What the file of an earlier installation says otherwise, in sentences. */
  changes: string[];
  isCurrent: boolean;
}

/** How a service stands. */
export interface ServiceState {
  manager: "systemd" | "launchd";
  file: string;
  installed: boolean;
  enabled: boolean;
  active: boolean;
  detail: string;
}

/** What the terminal UI is opened on. */
export interface TerminalContext {
  terminal: Terminal;
  /** How text looks on standard output. */
  out: Style;
  /** Unix ms. */
  now: () => number;
  /** IANA name of the zone that the user lives in. */
  timezone: string;
}

/** A program that may take the place of the one that runs. */
export interface Candidate {
  /** Absolute. */
  path: string;
  version: string;
  commit: string;
  /** Of the database. */
  schema: number;
}

/** The program of the daemon that runs, and the words by which it was started. */
export interface ProgramPlace {
  path: string;
  words: string[];
}

/** What `svc upgrade` does to this machine. Each may throw `Fault`, and has changed nothing then. */
export interface UpgradeTools {
  /** Tries a program out: whether it is one of ours, and runs here. */
  examine(file: string): Promise<Candidate>;
  /** Has it check the configuration in force. */
  demandAccepted(candidate: Candidate, config: string): Promise<void>;
  /** The program of the daemon on a data folder, where it may be replaced. */
  findProgram(dataDir: string): Promise<ProgramPlace>;
  /** Throws where a daemon that no service manager starts is another user's. */
  demandSameUser(dataDir: string): void;
  /** Puts the candidate in its place; the program before is kept, and answered where. */
  swap(place: ProgramPlace, candidate: Candidate): Promise<string>;
  swapBack(place: ProgramPlace): Promise<void>;
  /** Pid of the process that holds a data folder; undefined where none does. */
  holder(dataDir: string): number | undefined;
  /** Ends a daemon that does not go by itself; what it runs outlives it. `before`: the one before the upgrade. */
  end(dataDir: string, before: number): Promise<void>;
  /** Takes note of the unit of the service manager that a daemon is of. */
  noteUnit(pid: number): Promise<void>;
  /** Starts a daemon in the background with the words of the one before, and waits until it answers. */
  start(flags: PlaceFlags, place: ProgramPlace, isReady: () => Promise<boolean>): Promise<void>;
  /** Keeps signals from ending this program halfway; the result ends that. */
  holdSignals(): () => void;
}

/** What works without a daemon; handed in by the program, since this room knows a daemon over HTTP only. Each may throw `Fault`. */
export interface Locals {
  version: string;
  /** The state of the source that this program was built from. */
  commit: string;
  /** Version of the schema of the database that this program writes. */
  schema(): Promise<number>;
  /** What `svc upgrade` does to this machine. */
  upgradeTools(): Promise<UpgradeTools>;
  findDaemon: FindDaemon;
  /** The configuration file that a daemon would read. */
  findConfig(flags: PlaceFlags): Promise<string>;
  /** The password in a file that a daemon names, which only this user and root may change. */
  readPassword(path: string): Promise<string>;
  /** Runs a daemon in the foreground; answers the exit code. */
  runDaemon(flags: GlobalFlags): Promise<number>;
  validate(path: string): Promise<Validation>;
  renderValidation(validation: Validation): Promise<string[]>;
  /** The whole configuration, secrets included; absent where there are errors. */
  readConfig(path: string): Promise<{ config?: Config; errors: Problem[] }>;
  /** The JSON Schema of the configuration file. */
  configSchema(): Promise<object>;
  /** Puts a backup in place of the database of a daemon that is stopped, all or nothing. */
  restore(flags: PlaceFlags, file: string): Promise<Restored>;
  /** Makes units of the files of other programs. */
  importUnits(flags: PlaceFlags, order: ImportOrder): Promise<ImportResult>;
  /** Runs a task to its end without a daemon; answers how it ended. */
  runStandalone(flags: PlaceFlags, order: StandaloneOrder): Promise<RunJson>;
  /** Looks at everything that a daemon needs on this machine, and changes nothing. */
  examine(flags: GlobalFlags): Promise<Finding[]>;
  /** What an installation under systemd or launchd would do. */
  planService(flags: GlobalFlags, target: ServiceTarget): Promise<ServicePlan>;
  /** Does it; answers whether anything was new. */
  installService(plan: ServicePlan, target: ServiceTarget): Promise<boolean>;
  /** Answers whether there was one. */
  uninstallService(target: ServiceTarget): Promise<boolean>;
  serviceState(target: ServiceTarget): Promise<ServiceState>;
  /** Ends what a daemon that was stopped has left; answers what that was, in sentences. */
  reap(dataDir: string): Promise<string[]>;
  /** Opens the terminal UI; answers the exit code. */
  openTui(context: TerminalContext, connection: Connection): Promise<number>;
  /** Writes a starter configuration where there is none; answers its path, and whether it is new. */
  prepareStarter(flags: PlaceFlags): Promise<{ path: string; isNew: boolean }>;
  /** Starts a daemon that outlives this program, and waits until `isReady`; answers the file that its log goes to. */
  startBackground(flags: GlobalFlags, isReady: () => Promise<boolean>): Promise<string>;
  /** Makes the folder of the demonstration where it is missing; answers the path of its configuration file. */
  prepareDemo(folder: string): Promise<string>;
}
