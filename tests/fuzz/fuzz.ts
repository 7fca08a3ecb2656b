/** A seed that shows a fault. */
export interface Finding {
  target: string;
  seed: number;
  what: string;
}

/** What takes longer has no end, ms: the worst seed needs some seconds on a machine that is busy. */
const longest = 60_000;

/** Plays seeds of a target in a thread of its own, which is ended where a seed has no end; `isOver` is asked before each. */
export async function fuzz(
  target: string,
  { from, to, most, isOver, deadline = longest }: {
    from: number;
    to: number;
    most: number;
    isOver: () => boolean;
    deadline?: number;
  },
): Promise<{ played: number; findings: Finding[] }> {
  const findings: Finding[] = [];
  let played = 0;
  let worker = await Player.start(deadline);
  try {
    for (let seed = from; seed <= to && findings.length < most && !isOver(); seed++) {
      played++;
      const what = await worker.play({ target, seed });
      if (what === null) continue;
      findings.push({ target, seed, what });
      if (!worker.isStuck) continue;
      worker.end();
      worker = await Player.start(deadline);
    }
  } finally {
    worker.end();
  }
  return { played, findings };
}

/** The thread that plays seeds. */
class Player {
  isStuck = false;
  readonly #worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });

  readonly #deadline: number;

  constructor(deadline: number) {
    this.#deadline = deadline;
  }

  static async start(deadline: number): Promise<Player> {
    const player = new Player(deadline);
    // A busy machine takes its time to load what is fuzzed.
    await player.#answer(longest);
    return player;
  }

  /** What is wrong with a seed; null for nothing. */
  async play(what: { target: string; seed: number }): Promise<string | null> {
    const answer = this.#answer(this.#deadline);
    this.#worker.postMessage(what);
    return await answer;
  }

  end(): void {
    this.#worker.terminate();
  }

  #answer(deadline: number): Promise<string | null> {
    const { promise, resolve } = Promise.withResolvers<string | null>();
    const timer = setTimeout(() => {
      this.isStuck = true;
      resolve(`no end within ${deadline} ms`);
    }, deadline);
    this.#worker.onmessage = ({ data }) => {
      clearTimeout(timer);
      resolve(data);
    };
    this.#worker.onerror = (event) => {
      event.preventDefault();
      clearTimeout(timer);
      this.isStuck = true;
      resolve(`the thread broke down: ${event.message}`);
    };
    return promise;
  }
}
