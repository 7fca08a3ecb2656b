import { parseReading, type SystemReading } from "../../core/system_sample.ts";
import { groupScript } from "./group_script.ts";
import type { Swept } from "./processes.ts";

/**
 * The warden: one long-lived /bin/sh child that reads the process table for the daemon, which may not
 * read /proc itself. It answers one-line questions with lines and a final ".", in order.
 *
 *   boot             the boot id
 *   ticks PID        field 22 of /proc/PID/stat, or nothing
 *   carriers         "PID/RUNID" of each process that carries a run id
 *   sessions A|B|... the line of /proc/PID/stat of each process in these sessions, after one with the size of a page
 *   peers A|B|...    rows of the tables of TCP connections that have one of these pairs of ends, 64 at most, among
 *                    some 100,000 of each: the kernel takes 9 us for a row
 *   disk FOLDER      how many KiB its file system has left for this user, or nothing
 *   system           the first line of /proc/stat, and how much memory there is (read without a child)
 *   sweep A|B|... [A:UID ...]
 *                    kills carriers of these run ids until none is left (1 s at most): "killed PID/RUNID",
 *                    "left PID/RUNID". Where a run's user is named, processes of others are none of it
 *
 * and what group_script.ts says of control groups.
 */
const script = groupScript + `
stat() {
  line=
  { while read -r part || [ -n "$part" ]; do line="$line $part"; done < "/proc/$1/stat"; } 2>/dev/null
  rest=\${line##*) }
  [ "$rest" = "$line" ] && return
  set -- $rest
  [ "$1" != Z ] && echo "\${20}"
}
carriers() {
  grep -HszaoE "^SVC_RUN_ID=($1)\\$" /proc/[0-9]*/environ | tr '\\0' '\\n' |
    while IFS=/ read -r _ _ pid entry; do echo "$pid/\${entry#*=}"; done
}
load() {
  { read -r line < /proc/stat && echo "$line"; } 2>/dev/null
  { while read -r line; do
    case $line in
      MemTotal:*) echo "$line" ;;
      MemAvailable:*) echo "$line"; break ;;
    esac
  done < /proc/meminfo; } 2>/dev/null
}
owned() {
  while read -r one; do
    case $owners in
      *" \${one#*/}:"*)
        wanted=\${owners#*" \${one#*/}:"} real=
        { while read -r key real _; do [ "$key" = Uid: ] && break; done < "/proc/\${one%%/*}/status"; } 2>/dev/null
        [ "$real" = "\${wanted%% *}" ] || continue ;;
    esac
    echo "$one"
  done
}
sweep() {
  ids=$1 round=0
  shift
  owners=" $* "
  while found=$(carriers "$ids" | owned); [ -n "$found" ]; do
    [ $round -ge 40 ] && { for one in $found; do echo "left $one"; done; return; }
    for one in $found; do
      kill -9 "\${one%%/*}" 2>/dev/null && [ $round -eq 0 ] && echo "killed $one"
    done
    round=$((round + 1))
    sleep 0.02
  done
}
while read -r verb argument; do
  case $verb in
    boot) cat /proc/sys/kernel/random/boot_id 2>/dev/null ;;
    ticks) stat "$argument" ;;
    carriers) carriers "[0-9A-Z]*" ;;
    sessions)
      echo "\${page:=$(getconf PAGESIZE 2>/dev/null)}"
      grep -hszE "\\) [A-Za-z] [0-9]+ [0-9]+ ($argument) " /proc/[0-9]*/stat | tr '\\n\\0' ' \\n' ;;
    peers) head -qc 15000000 /proc/net/tcp /proc/net/tcp6 2>/dev/null | grep -Em 64 ": ($argument) " ;;
    system) load ;;
    disk) df -Pk -- "$argument" 2>/dev/null | { read -r _ && read -r _ _ _ free _ && echo "$free"; } ;;
    sweep) sweep $argument ;;
    make|remove|usage|finish|leftovers|close|kill)
      case $verb in
        kill) kill_group "$MAIN/$argument" ;;
        usage) for group in $argument; do usage "$group"; done ;;
        *) $verb $argument ;;
      esac ;;
  esac
  echo .
done
`;

/** Asks the warden; starts it at the first question, and again if it should die. */
export class Warden {
  readonly #environment: Record<string, string>;
  #child: Deno.ChildProcess | undefined;
  #writer: WritableStreamDefaultWriter<Uint8Array> | undefined;
  /** Undefined: the warden died before it could answer. */
  #waiting: ((lines: string[] | undefined) => void)[] = [];
  #lastSweep: Promise<void> = Promise.resolve();
  #sweepNext: { owners: Map<string, number | undefined>; done: Promise<string[]> } | undefined;
  #closed = false;

  /** `environment` says where control groups are; see group_script.ts. */
  constructor(environment: Record<string, string> = {}) {
    this.#environment = environment;
  }

  async bootId(): Promise<string> {
    return (await this.ask("boot"))[0] ?? "";
  }

  async startTicks(pid: number): Promise<string | undefined> {
    return (await this.ask(`ticks ${pid}`))[0];
  }

  /** Bytes that the file system of a folder has left for this user; undefined where it can't be told. */
  async freeSpace(folder: string): Promise<number | undefined> {
    const [kibibytes] = await this.ask(`disk ${folder}`);
    return kibibytes === undefined || !/^\d+$/.test(kibibytes) ? undefined : Number(kibibytes) * 1024;
  }

  /** The machine's counters; undefined where they can't be read. */
  async systemReading(): Promise<SystemReading | undefined> {
    return parseReading(await this.ask("system"));
  }

  async carriers(): Promise<Map<number, string>> {
    const found = new Map<number, string>();
    for (const line of await this.ask("carriers")) {
      const [pid, runId] = line.split("/");
      if (pid !== undefined && runId) found.set(Number(pid), runId);
    }
    return found;
  }

  /**
   * Kills what carries the ids of runs; `owner` is the user whose processes alone are meant. Sweeps asked for while
   * one is under way are done together by the next: one look at the table serves many runs.
   */
  async sweep(runIds: readonly string[], owner?: number): Promise<Swept> {
    if (this.#sweepNext === undefined) {
      const owners = new Map<string, number | undefined>();
      this.#sweepNext = { owners, done: this.#lastSweep.then(() => this.#sweepNow(owners)) };
      this.#lastSweep = this.#sweepNext.done.then(() => {}, () => {});
    }
    for (const id of runIds) this.#sweepNext.owners.set(id, owner);
    const swept: Swept = { killed: [], left: [] };
    for (const line of await this.#sweepNext.done) {
      const [what, pid, runId = ""] = line.split(/[ /]/);
      if ((what === "killed" || what === "left") && runIds.includes(runId)) swept[what].push(Number(pid));
    }
    return swept;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const child = this.#child;
    if (child === undefined) return;
    await this.#writer?.close().catch(() => {});
    await child.status;
  }

  async #sweepNow(owners: ReadonlyMap<string, number | undefined>): Promise<string[]> {
    this.#sweepNext = undefined;
    const named = [...owners].flatMap(([id, owner]) => owner === undefined ? [] : [` ${id}:${owner}`]);
    return await this.ask(`sweep ${[...owners.keys()].join("|")}${named.join("")}`);
  }

  /** Lines of an answer; none when the warden is closed, or can't be kept alive. */
  async ask(question: string, triesLeft = 2): Promise<string[]> {
    if (this.#closed) return [];
    const child = this.#child ?? this.#start();
    this.#writer ??= child.stdin.getWriter();
    const answer = new Promise<string[] | undefined>((resolve) => this.#waiting.push(resolve));
    this.#writer.write(new TextEncoder().encode(question + "\n")).catch(() => {});
    return await answer ?? (triesLeft > 0 ? await this.ask(question, triesLeft - 1) : []);
  }

  #start(): Deno.ChildProcess {
    const child = new Deno.Command("/bin/sh", {
      // Not as an argument: lists of processes would show all of it.
      args: ["-c", 'script=$SVC_WARDEN; unset SVC_WARDEN; eval "$script"', "svc-warden"],
      clearEnv: true,
      env: { ...this.#environment, SVC_WARDEN: script, PATH: "/usr/bin:/bin:/usr/sbin:/sbin", LC_ALL: "C" },
      cwd: "/",
      // A session of its own: Ctrl-C on the daemon's terminal must not take the warden away first.
      detached: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#child = child;
    this.#read(child);
    return child;
  }

  async #read(child: Deno.ChildProcess): Promise<void> {
    let answer: string[] = [];
    let rest = "";
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line !== ".") {
          answer.push(line);
          continue;
        }
        this.#waiting.shift()?.(answer);
        answer = [];
      }
    }
    await child.status;
    await this.#writer?.abort().catch(() => {}); // gives the pipe back
    this.#child = undefined;
    this.#writer = undefined;
    for (const resolve of this.#waiting.splice(0)) resolve(undefined);
  }
}
