import assert from "node:assert/strict";
import type {
  LaunchedProcess,
  LaunchSpec,
  Processes,
  ProcessExit,
} from "../../../src/io/process/processes.ts";
import { Warden } from "../../../src/io/process/warden.ts";
import { systemProcesses } from "../../../src/io/process/system.ts";

/** Real processes, in a folder of their own; nothing of them is left when the test ends. */
export class Machine implements AsyncDisposable {
  readonly folder: string = Deno.makeTempDirSync({ prefix: "svc-process-" });
  readonly noteFolder: string = Deno.makeTempDirSync({ prefix: "svc-notes-" });
  readonly processes: Processes;
  readonly folders: { keepers: string; spools: string };
  /** Its runs are kept. */
  isKept = false;
  readonly said: string[] = [];
  readonly #launched: Launched[] = [];
  /** Names its control groups, and marks its warden. */
  readonly key: string = crypto.randomUUID().replaceAll("-", "").slice(0, 16);
  readonly warden: Warden = new Warden({ KEY: this.key });
  readonly #runIds: string[] = [];

  constructor() {
    this.folders = { keepers: `${this.noteFolder}/keepers`, spools: `${this.noteFolder}/spools` };
    for (const folder of Object.values(this.folders)) Deno.mkdirSync(folder, { mode: 0o700 });
    this.processes = systemProcesses({
      noteFolder: this.noteFolder,
      key: this.key,
      keepers: this.folders,
      say: (text) => this.said.push(text),
    });
    // Accounts of tests must be able to look in.
    Deno.chmodSync(this.folder, 0o755);
  }

  /** One whose runs are kept beyond its end. */
  static async keeping(): Promise<Machine> {
    const machine = new Machine();
    await machine.processes.prepare();
    assert.deepEqual(machine.processes.keeping, { available: true });
    machine.isKept = true;
    return machine;
  }

  launch(script: string, own: Partial<LaunchSpec> = {}): Launched {
    // Test files share a process, so the pid and a number would not be unique.
    const runId = `T${crypto.randomUUID().replaceAll("-", "").toUpperCase()}`;
    this.#runIds.push(runId);
    const keep = { nonce: `n${runId}`, about: "about", isLong: false, unkept: () => {} };
    const launched = new Launched(this.processes, {
      runId,
      name: "unit",
      shell: "/bin/sh",
      script,
      args: [],
      cwd: this.folder,
      envBase: "clean",
      limits: {},
      ...(this.isKept ? { keep } : {}),
      ...own,
      env: { SVC_RUN_ID: runId, ...own.env },
    });
    this.#launched.push(launched);
    return launched;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.processes.killLeftovers(this.#runIds);
    for (const launched of this.#launched) launched.dismiss();
    await this.processes.close();
    await this.warden.close();
    for (const folder of [this.folder, this.noteFolder]) Deno.removeSync(folder, { recursive: true });
  }
}

/** One process that was started, with what it has said so far. */
export class Launched {
  readonly runId: string;
  readonly started: Promise<void>;
  stdout = "";
  stderr = "";
  bytes = 0;
  readonly exited: Promise<ProcessExit>;
  readonly drained: Promise<void>;
  readonly signal: (name: string) => void;
  readonly abandon: () => void;
  readonly release: () => void;
  readonly troubles: () => string[];
  readonly #child: LaunchedProcess;
  #wanted: { text: string; found: () => void } | undefined;

  constructor(processes: Pick<Processes, "launch">, spec: LaunchSpec) {
    this.runId = spec.runId;
    const exited = Promise.withResolvers<ProcessExit>();
    const drained = Promise.withResolvers<void>();
    this.exited = exited.promise;
    this.drained = drained.promise;
    const decoder = { stdout: new TextDecoder(), stderr: new TextDecoder() };
    const child = processes.launch(spec, {
      output: (stream, chunk) => {
        this.bytes += chunk.length;
        if (this.bytes < 1_000_000) this[stream] += decoder[stream].decode(chunk, { stream: true });
        if (this.#wanted !== undefined && this.stdout.includes(this.#wanted.text)) this.#wanted.found();
        return chunk.length;
      },
      exited: exited.resolve,
      pipesClosed: drained.resolve,
    });
    this.#child = child;
    this.started = child.started;
    this.signal = (name) => child.signal(name);
    this.abandon = () => child.abandon();
    this.release = () => child.release();
    this.troubles = () => child.troubles();
  }

  get pid(): number {
    return this.#child.pid;
  }

  dismiss(): void {
    this.#child.dismiss();
  }

  /** Resolves once standard output holds a text. */
  async says(text: string): Promise<void> {
    if (this.stdout.includes(text)) return;
    await new Promise<void>((found) => this.#wanted = { text, found });
  }

  /** The end of the process and of its pipes. */
  async end(): Promise<ProcessExit> {
    const exit = await this.exited;
    await this.drained;
    return exit;
  }
}
