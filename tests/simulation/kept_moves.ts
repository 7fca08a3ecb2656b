import { minute, second } from "../support/units.ts";
import type { Meanwhile, Move } from "./moves.ts";
import type { Random } from "./random.ts";

/** Effects of a daemon with keepers at which it is worth while to die. */
const effectKinds = ["runs.setKept", "runs.begin", "launch", "adopt", "dismiss", "send", "leave", "sweep"];

/** The same moves, with what happens where runs outlive their daemon: deaths and handovers, and processes that nobody watches. */
export function withKeeping(random: Random, moves: readonly Move[]): readonly Move[] {
  return moves.flatMap((move) => {
    const same = move.do === "crash" ? { ...move, ...absence(random) } : move;
    return random.oneIn(8) ? [same, keptMove(random)] : [same];
  });
}

function keptMove(random: Random): Move {
  const kind = random.weighted([[4, "crash"], [2, "hand over"], [1, "lose keeper"], [2, "finds"]] as const);
  switch (kind) {
    case "crash":
      return {
        do: "crash",
        at: random.pick([1, 1, 1, 2, 3]),
        done: random.oneIn(2),
        kind: random.pick(effectKinds),
        away: random.pick([0, second, 5 * second, minute]),
        again: random.oneIn(3) ? 1 + random.below(12) : 0,
        reboot: random.oneIn(12),
        ...absence(random),
      };
    case "hand over":
      return { do: kind, away: random.pick([0, second, minute]), ...absence(random) };
    case "lose keeper":
      return { do: kind, pick: random.below(8) };
    case "finds":
      return { do: kind, finds: random.pick(["late", "never", "failing", "forged"] as const) };
  }
}

/** What happens while no daemon is there. */
function absence(random: Random): { seed?: number; meanwhile: Meanwhile[] } {
  const meanwhile = Array.from({ length: random.pick([0, 0, 1, 2, 3]) }, () => happening(random));
  return { meanwhile, ...(random.oneIn(6) ? { seed: random.seed() } : {}) };
}

function happening(random: Random): Meanwhile {
  const pick = random.below(8);
  const kind = random.weighted([[5, "exit"], [2, "print"], [1, "lose keeper"]] as const);
  if (kind === "print") return { do: kind, pick, size: random.pick([10, 150, 300]) };
  if (kind === "lose keeper") return { do: kind, pick };
  const signal = random.oneIn(4) ? { signal: random.pick(["SIGKILL", "SIGSEGV", "SIGTERM"]) } : {};
  return { do: kind, pick, code: random.pick([0, 0, 1, 3, 137]), ...signal };
}
