import { parseReading, type SystemReading } from "../../core/system_sample.ts";
import { messageOf } from "../../fault.ts";
import { endOf } from "./child_end.ts";
import { groupScript } from "./group_script.ts";
import type { RunProcess, Swept } from "./processes.ts";

/**
 * The warden: one long-lived /bin/sh child that reads the process table for the daemon, which may not
 * read /proc itself. It answers one-line questions with lines and a final ".", in order.
 *
 *   skip PID...      from now on these processes are not looked into: what reads there does not come back
 *   probe PID        reads what all processes with larger pids have to tell: "at PID" before each
 *   boot             the boot id
 *   ticks PID        field 22 of /proc/PID/stat, or nothing
 *   carriers         "PID/RUNID" of each process that carries a run id
 *   sessions A|B|... the line of /proc/PID/stat of each process in these sessions, after one with the size of a page
 *   rest PID RUNID GROUP [UID]
 *                    "PID PGRP NAME" of each process that lives in the session or process group of that pid, or in
 *                    the control group of that name; where that is "-", of each carrier of the run id, too
 *   peers A|B|...    rows of the tables of TCP connections that have one of these pairs of ends, 64 at most, among
 *                    some 100,000 of each: the kernel takes 9 us for a row
 *   disk FOLDER      how many KiB its file system has left for this user, or nothing
 *   system           the first line of /proc/stat, and how much memory there is (read without a child)
 *   sweep A|B|... [A:UID ...]
 *                    kills carriers of these run ids until none is left (1 s at most): "killed PID/RUNID NAME",
 *                    "left PID/RUNID NAME", and "-" now and then. Where a run's user is named, processes of others are none of it
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
files() {
  files=
  for file in /proc/[0-9]*/$1; do
    pid=\${file#/proc/}
    case " $skipped " in *" \${pid%%/*} "*) ;; *) files="$files $file" ;; esac
  done
}
list() {
  files="/proc/[0-9]*/$1"
  [ -z "$skipped" ] || files "$1"
}
carriers() {
  list environ
  grep -HszaoE "^SVC_RUN_ID=($1)\\$" $files | tr '\\0' '\\n' |
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
describe() {
  line=
  { while read -r part || [ -n "$part" ]; do line="$line $part"; done < "/proc/$1/stat"; } 2>/dev/null
  after=\${line##*) } name=\${line#*(}
  [ "$after" = "$line" ] && return
  name=\${name%)*} shown=$1
  set -- $after
  case $1 in Z|X) ;; *) echo "$shown $3 $name" ;; esac
}
rest() {
  list stat
  {
    grep -lszE "\\) [A-Za-z] [0-9]+ ($1 [0-9]+|[0-9]+ $1) " $files | tr '\\0' '\\n'
    if [ "$3" = - ]; then
      owners="\${4:+ $2:$4 }"
      carriers "$2" | owned
    else members "$MAIN/$3"; fi
  } | while read -r one; do
    one=\${one#/proc/}
    describe "\${one%%/*}"
  done
}
probe() {
  for dir in /proc/[0-9]*; do
    pid=\${dir#/proc/}
    [ "$pid" -gt "$1" ] || continue
    case " $skipped " in *" $pid "*) continue ;; esac
    echo "at $pid"
    head -qc 1 "$dir/stat" "$dir/environ" > /dev/null 2>&1
  done
}
sweep() {
  ids=$1 round=0
  shift
  owners=" $* "
  while found=$(carriers "$ids" | owned); [ -n "$found" ]; do
    [ $round -ge 40 ] && { for one in $found; do comm "\${one%%/*}"; echo "left $one $comm"; done; return; }
    echo -
    for one in $found; do
      comm "\${one%%/*}"
      kill -9 "\${one%%/*}" 2>/dev/null && [ $round -eq 0 ] && echo "killed $one $comm"
    done
    round=$((round + 1))
    sleep 0.02
  done
}
skipped=
while read -r verb argument; do
  case $verb in
    boot) cat /proc/sys/kernel/random/boot_id 2>/dev/null ;;
    skip) skipped=$argument ;;
    probe) probe "$argument" ;;
    rest) rest $argument ;;
    ticks) stat "$argument" ;;
    carriers) carriers "[0-9A-Z]*" ;;
    sessions)
      echo "\${page:=$(getconf PAGESIZE 2>/dev/null)}"
      list stat
      grep -hszE "\\) [A-Za-z] [0-9]+ [0-9]+ ($argument) " $files | tr '\\n\\0' ' \\n' ;;
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

/** Why nothing is known: the warden was asked, and killed for its silence, more than once. */
export const silence = "the helper that looks at processes gives no answer";

/** What a warden may be told. */
export interface WardenOptions {
  /** One that says nothing for so long, though it was asked, hangs, ms. */
  patience?: number;
  /** Hears what can't be looked at. */
  say?: (text: string) => void;
}

/** One that is probed takes no time for a process: so soon it is known to hang, ms. */
const probePatience = 700;
/** So many processes are found at a time that can't be looked at, and so long they are passed over, ms. */
const mostHanging = 8;
const skipFor = 10 * 60_000;
/** How long the end of the warden's shell is waited for at the end, ms. */
const closePatience = 1_000;

/** What came of a question: `hung`, nothing within the warden's patience; `died`, its shell ended before it could answer. */
type Answer = { lines: string[] } | { is: "hung" | "died"; soFar: string[] };

/** Asks the warden; starts it at the first question, and again if it should die or hang. Nothing here rejects. */
export class Warden {
  readonly #environment: Record<string, string>;
  readonly #options: Required<WardenOptions>;
  #shell: Shell | undefined;
  /** Processes that are not looked into, and until when. */
  readonly #skipped = new Map<number, number>();
  #probing: Promise<void> | undefined;
  #lastSweep: Promise<void> = Promise.resolve();
  #sweepNext:
    | { owners: Map<string, number | undefined>; done: Promise<string[] | undefined> }
    | undefined;
  #closed = false;

  /** `environment` says where control groups are; see group_script.ts. */
  constructor(environment: Record<string, string> = {}, options: WardenOptions = {}) {
    this.#environment = environment;
    this.#options = { patience: options.patience ?? 4_000, say: options.say ?? ((): void => {}) };
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

  /** What still lives of a run whose process has ended; undefined where that can't be told. */
  async rest(
    { runId, pid }: { runId: string; pid: number },
    { group, owner }: { group: string | undefined; owner: number | undefined },
  ): Promise<RunProcess[] | undefined> {
    const lines = await this.tryAsk(
      `rest ${pid} ${runId} ${group ?? "-"}${owner === undefined ? "" : ` ${owner}`}`,
    );
    const found = new Map<number, RunProcess>();
    for (const line of lines ?? []) {
      const match = /^(\d+) (\d+) (.*)$/.exec(line);
      if (match !== null) {
        found.set(Number(match[1]), { pid: Number(match[1]), group: Number(match[2]), name: match[3]! });
      }
    }
    // The process itself has ended: who has its pid now is somebody else, and so is the session of that name.
    const isTakenOver = found.has(pid);
    return lines && [...found.values()].filter((one) => !isTakenOver || one.group !== pid);
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
    const lines = await this.#sweepNext.done;
    const swept: Swept = { killed: [], left: [] };
    if (lines === undefined && !this.#closed) swept.untold = silence;
    for (const line of lines ?? []) {
      const match = /^(killed|left) (\d+)\/(\S+) ?(.*)$/.exec(line);
      if (match === null || !runIds.includes(match[3]!)) continue;
      swept[match[1] as "killed" | "left"].push({ pid: Number(match[2]), name: match[4]! });
    }
    return swept;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const shell = this.#shell;
    this.#shell = undefined;
    await shell?.close(closePatience);
  }

  async #sweepNow(owners: ReadonlyMap<string, number | undefined>): Promise<string[] | undefined> {
    this.#sweepNext = undefined;
    const named = [...owners].flatMap(([id, owner]) => owner === undefined ? [] : [` ${id}:${owner}`]);
    return await this.tryAsk(`sweep ${[...owners.keys()].join("|")}${named.join("")}`);
  }

  /** Lines of an answer; none when the warden is closed, or can't be had. */
  async ask(question: string, options: { patience?: number } = {}): Promise<string[]> {
    return await this.tryAsk(question, options) ?? [];
  }

  /** Lines of an answer; undefined when there is none. */
  async tryAsk(question: string, { patience = this.#options.patience } = {}): Promise<string[] | undefined> {
    for (let tries = 0; tries < 3; tries++) {
      await this.#probing;
      if (this.#closed) return undefined;
      const answer = await this.#askOnce(question, patience);
      if ("lines" in answer) return answer.lines;
      if (answer.is === "hung") await (this.#probing ??= this.#probe());
    }
    this.#options.say(`${silence} to "${question.split(" ")[0]}"`);
    return undefined;
  }

  async #askOnce(question: string, patience: number): Promise<Answer> {
    try {
      this.#shell ??= this.#start();
    } catch (error) {
      this.#options.say(`the helper that looks at processes can't be started: ${messageOf(error)}`);
      return { is: "died", soFar: [] };
    }
    const shell = this.#shell;
    const answer = await shell.ask(question, patience);
    if (!("lines" in answer) && this.#shell === shell) this.#shell = undefined;
    return answer;
  }

  /** Finds the processes whose files keep a reader for ever: what reads them next passes them over. */
  async #probe(): Promise<void> {
    let from = 0;
    for (let found = 0; found < mostHanging && !this.#closed; found++) {
      const answer = await this.#askOnce(`probe ${from}`, probePatience);
      if ("lines" in answer) break;
      const pid = Number(/^at (\d+)$/.exec(answer.soFar.at(-1) ?? "")?.[1]);
      if (!(pid > 0)) break;
      from = pid;
      this.#skipped.set(pid, performance.now() + skipFor);
      this.#options.say(
        `process ${pid} can't be looked at: reading in /proc/${pid} does not come back; it is passed over`,
      );
    }
    this.#probing = undefined;
  }

  #start(): Shell {
    const now = performance.now();
    for (const [pid, until] of this.#skipped) if (until < now) this.#skipped.delete(pid);
    const shell = new Shell(this.#environment);
    if (this.#skipped.size > 0) {
      void shell.ask(`skip ${[...this.#skipped.keys()].join(" ")}`, this.#options.patience);
    }
    return shell;
  }
}

/** The shell of a warden, as long as it answers. */
class Shell {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reader: ReadableStreamDefaultReader<string>;
  readonly #waiting: { give: (answer: Answer) => void; patience: number }[] = [];
  readonly #over: Promise<unknown>;
  #lines: string[] = [];
  #isOver = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = 0;

  constructor(environment: Record<string, string>) {
    this.#child = new Deno.Command("/bin/sh", {
      // Not as an argument: lists of processes would show all of it.
      args: ["-c", 'script=$SVC_WARDEN; unset SVC_WARDEN; eval "$script"', "svc-warden"],
      clearEnv: true,
      env: { ...environment, SVC_WARDEN: script, PATH: "/usr/bin:/bin:/usr/sbin:/sbin", LC_ALL: "C" },
      cwd: "/",
      // A session of its own: Ctrl-C on the daemon's terminal must not take the warden away first.
      detached: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#reader = this.#child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    this.#over = this.#read();
  }

  ask(question: string, patience: number): Promise<Answer> {
    if (this.#isOver) return Promise.resolve({ is: "died", soFar: [] });
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#waiting.push({ give: resolve, patience });
    if (this.#waiting.length === 1) this.#listen();
    this.#writer.write(new TextEncoder().encode(question + "\n")).catch(() => {});
    return promise;
  }

  /** Ends it in order, or by force where it does not end within `patience` (ms). */
  async close(patience: number): Promise<void> {
    this.#writer.close().catch(() => {});
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, patience);
    await Promise.race([this.#over, late.promise]);
    clearTimeout(timer);
    if (!this.#isOver) this.#abandon();
  }

  async #read(): Promise<void> {
    let rest = "";
    try {
      for (let chunk = await this.#reader.read(); !chunk.done; chunk = await this.#reader.read()) {
        const lines = (rest + chunk.value).split("\n");
        rest = lines.pop() ?? "";
        this.#take(lines);
      }
    } catch {
      // A pipe that breaks has ended.
    }
    if (this.#isOver) return;
    await endOf(this.#child);
    this.#end("died");
    await this.#writer.abort().catch(() => {}); // gives the pipe back
  }

  #take(lines: readonly string[]): void {
    for (const line of lines) {
      if (line !== ".") this.#lines.push(line);
      else this.#waiting.shift()?.give({ lines: this.#lines.splice(0) });
    }
    this.#listen();
  }

  /** From now on, and until it says the next word, its patience counts. */
  #listen(): void {
    clearTimeout(this.#timer);
    const [next] = this.#waiting;
    if (next === undefined || this.#isOver) return;
    this.#due = performance.now() + next.patience;
    this.#timer = setTimeout(() => this.#isSilent(next.patience), next.patience);
  }

  #isSilent(patience: number): void {
    // The daemon itself may have stood still, with the answer in the pipe.
    if (performance.now() - this.#due > patience / 2) return this.#listen();
    this.#abandon();
  }

  /** It hangs, perhaps where no signal reaches it: nobody waits for it any more. */
  #abandon(): void {
    for (const target of [-this.#child.pid, this.#child.pid]) {
      try {
        Deno.kill(target, "SIGKILL");
      } catch {
        // It has ended.
      }
    }
    this.#end("hung");
    this.#child.unref();
    void endOf(this.#child);
    this.#reader.cancel().catch(() => {});
    this.#writer.abort().catch(() => {});
  }

  #end(is: "hung" | "died"): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    const soFar = this.#lines.splice(0);
    const [first, ...others] = this.#waiting.splice(0);
    first?.give({ is, soFar });
    for (const { give } of others) give({ is: "died", soFar: [] });
  }
}
