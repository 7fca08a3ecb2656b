/** A mark that processes inherit in their environment, so that all that was started can be found, and ended by pid. */
export class Mark {
  readonly #name = "BENCH_MARK";
  readonly #value = crypto.randomUUID();

  /** What a first process is to have in its environment. */
  get env(): Record<string, string> {
    return { [this.#name]: this.#value };
  }

  /** Ends all that carry it, again and again: what watches over processes may be quicker than one round. */
  async end(): Promise<void> {
    for (let round = 0; round < 100; round++) {
      const left = pids().filter((pid) => this.#isOn(pid));
      if (left.length === 0) return;
      for (const pid of left) kill(pid);
      await pause(20);
    }
    throw new Error(`processes with ${this.#name}=${this.#value} can't be ended`);
  }

  #isOn(pid: number): boolean {
    return read(`/proc/${pid}/environ`).split("\0").includes(`${this.#name}=${this.#value}`);
  }
}

/** The processes whose command line is this, with or without the folder of the program. */
export function pidsOf(command: string): number[] {
  const wanted = command.replaceAll(" ", "\0") + "\0";
  return pids().filter((pid) => {
    const line = read(`/proc/${pid}/cmdline`);
    return line === wanted || line.startsWith("/") && line.endsWith(`/${wanted}`);
  });
}

/** A process and all that descend from it. */
export function family(root: number): number[] {
  const parents = new Map(pids().map((pid) => [pid, parentOf(pid)]));
  const found = new Set([root]);
  for (let before = 0; before < found.size;) {
    before = found.size;
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid);
  }
  return [...found];
}

/** Memory of processes together, MB: `pss` counts a page that several share once, `rss` each time. */
export function memory(of: readonly number[]): { pss: number; rss: number } {
  const sum = { pss: 0, rss: 0 };
  for (const pid of of) {
    const rollup = read(`/proc/${pid}/smaps_rollup`);
    sum.pss += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) * 1024 / 1e6;
    sum.rss += Number(/^Rss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) * 1024 / 1e6;
  }
  return sum;
}

/** SIGKILL to one process, which may have ended. */
export function kill(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/** Asks again, `every` so many ms, until the answer is yes; answers how long that took, ms, and throws after 60 s. */
export async function until(
  what: string,
  answer: () => boolean | Promise<boolean>,
  { every = 2 }: { every?: number } = {},
): Promise<number> {
  const begun = performance.now();
  while (!(await answer())) {
    if (performance.now() - begun > 60_000) throw new Error(`not within 60 s: ${what}`);
    await pause(every);
  }
  return performance.now() - begun;
}

export async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}

function pids(): number[] {
  return [...Deno.readDirSync("/proc")].map(({ name }) => Number(name)).filter((pid) => pid > 0);
}

function parentOf(pid: number): number {
  // The name stands in brackets and may hold anything.
  return Number(/\) \S (\d+) [^)]*$/.exec(read(`/proc/${pid}/stat`))?.[1] ?? 0);
}

function read(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return ""; // It has ended.
  }
}
