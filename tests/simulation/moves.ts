import { minute, second } from "../support/units.ts";
import { hour } from "../support/units.ts";
import type { Finds, Habit, Loss } from "./machine.ts";
import type { Random } from "./random.ts";
import { names, serviceNames, taskNames } from "./setup.ts";

/** One thing that happens to a daemon. Plain data, and of use whatever came before, so that moves can be left out. */
export type Move =
  | { do: "run" | "hook" | "start" | "stop" | "restart" | "pause" | "resume"; name: string }
  | { do: "stop run" | "stop runs" | "delete" | "restore" | "rerun"; pick: number; count: number }
  | { do: "exit"; pick: number; code: number; signal?: string }
  | { do: "print"; pick: number; size: number }
  | { do: "habit"; name: string; habit: Habit }
  | { do: "advance" | "stall" | "jump"; ms: number }
  /** A process becomes another user's, or waits for a device that is gone. */
  | { do: "become"; pick: number; how: "foreign" | "unkillable" }
  /** What looks at processes answers, takes its time, hangs or is missing. */
  | { do: "helpers"; answers: "yes" | "late" | "never" | "failing" | "moody" }
  /** Nobody is to hear of the end of a process. */
  | { do: "lose"; pick: number; loss: Loss }
  /** From now on so many writes take so long each. */
  | { do: "slow"; writes: number; ms: number }
  /**
   * The machine sleeps after the `at`th write from now, or the `at`th that stores a tick, in the middle of what the daemon
   * does; its monotonic clock stands still.
   */
  | { do: "sleep"; at: number; ofTick: boolean; ms: number }
  | { do: "reload"; seed: number }
  /** A task gets so many places, or a service so many instances, by a reload. */
  | { do: "squeeze"; name: string; to: number }
  /** The configuration becomes what it was before the last reload. */
  | { do: "revert" }
  | {
    do: "crash";
    at: number;
    done: boolean;
    kind?: string;
    away: number;
    again: number;
    reboot: boolean;
    seed?: number;
    meanwhile?: readonly Meanwhile[];
  }
  | { do: "refuse"; at: number; lasts: number }
  /** The same for the next start of a daemon, which comes at once after a kill. */
  | { do: "refuse start"; at: number; lasts: number }
  | { do: "clean stop"; away: number; seed?: number }
  | { do: "drain" }
  /** The daemon leaves what can outlive it to the next one. */
  | { do: "hand over"; away: number; seed?: number; meanwhile?: readonly Meanwhile[] }
  /** The keeper of a run is killed. */
  | { do: "lose keeper"; pick: number }
  /** How the next start is told of what was left. */
  | { do: "finds"; finds: Finds };

/** What happens to a process while no daemon is there. */
export type Meanwhile = Extract<Move, { do: "exit" | "print" | "lose keeper" }>;

/** Effects at which it is worth while to die. */
const effectKinds = [
  "retries",
  "retries",
  "schedules.setHandled",
  "schedules",
  "runs.insert",
  "runs.update",
  "transaction",
  "launch",
  "send",
  "sweep",
];

/** A sequence of moves. */
export function randomMoves(random: Random, count: number): Move[] {
  const moves: Move[] = names.map((name) => ({ do: "habit", name, habit: habitOf(random, name) }));
  let name = random.pick(names);
  while (moves.length < count + names.length) {
    // What comes close together is mostly about one unit.
    if (random.oneIn(3)) name = random.pick(names);
    moves.push(randomMove(random, name));
  }
  return moves;
}

/** The same moves, and by some seeds what seldom comes together by chance: a task or a service that is squeezed. */
export function withSqueeze(random: Random, moves: readonly Move[]): readonly Move[] {
  if (!random.oneIn(4)) return moves;
  const squeeze = random.oneIn(2)
    ? squeezedTask(random.pick(taskNames))
    : squeezedService(random.pick(serviceNames), random.below(8));
  return moves.toSpliced(names.length + random.below(moves.length - names.length), 0, ...squeeze);
}

/** Runs that have a place lose it while others wait for one. */
function squeezedTask(name: string): Move[] {
  const runs = Array.from({ length: 6 }, (): Move => ({ do: "run", name }));
  return [{ do: "squeeze", name, to: 3 }, ...runs, { do: "squeeze", name, to: 1 }];
}

/** Instances go and come back while the end of a life is not stored yet. */
function squeezedService(name: string, pick: number): Move[] {
  return [
    { do: "squeeze", name, to: 3 },
    { do: "advance", ms: 6000 },
    { do: "refuse", at: 1, lasts: 0 },
    { do: "exit", pick, code: 1 },
    { do: "squeeze", name, to: 1 },
    { do: "squeeze", name, to: 3 },
  ];
}

/** The same moves, with an executor among them that loses, delays and repeats answers: by some seeds. */
export function withLosses(random: Random, moves: readonly Move[]): readonly Move[] {
  if (!random.oneIn(3)) return moves;
  return moves.flatMap((move) => random.oneIn(4) ? [move, randomLoss(random)] : [move]);
}

function randomLoss(random: Random): Move {
  if (random.oneIn(5)) return { do: "helpers", answers: random.pick(["yes", "moody"] as const) };
  const how = random.pick(["late", "pipes", "nothing"] as const);
  return {
    do: "lose",
    pick: random.below(8),
    loss: { how, after: random.pick([1, 500, 4000, 6000, 20_000]) },
  };
}

function randomMove(random: Random, name: string): Move {
  const kind = random.weighted(
    [
      [12, "unit"],
      [4, "run"],
      [7, "exit"],
      [1, "print"],
      [3, "habit"],
      [14, "advance"],
      [1, "stall"],
      [1, "jump"],
      [1, "become"],
      [1, "helpers"],
      [1, "slow"],
      [1, "sleep"],
      [4, "reload"],
      [3, "crash"],
      [2, "refuse"],
      [1, "refuse start"],
      [1, "clean stop"],
    ] as const,
  );
  switch (kind) {
    case "unit":
      return {
        do: random.weighted(
          [
            [9, "run"],
            [2, "hook"],
            [3, "start"],
            [3, "stop"],
            [4, "restart"],
            [1, "pause"],
            [1, "resume"],
          ] as const,
        ),
        name,
      };
    case "run":
      return {
        do: random.weighted(
          [[5, "stop run"], [2, "stop runs"], [2, "delete"], [1, "restore"], [2, "rerun"]] as const,
        ),
        pick: random.below(30),
        count: 1 + random.below(4),
      };
    case "exit": {
      const signal = random.oneIn(5) ? { signal: random.pick(["SIGKILL", "SIGSEGV", "SIGTERM"]) } : {};
      return { do: "exit", pick: random.below(8), code: random.pick([0, 0, 1, 3, 137]), ...signal };
    }
    case "print":
      return { do: "print", pick: random.below(8), size: random.pick([10, 150, 300]) };
    case "habit": {
      return { do: "habit", name, habit: habitOf(random, name) };
    }
    case "advance":
      return {
        do: "advance",
        ms: random.pick([
          0,
          1,
          300,
          1000,
          2000,
          5000,
          9000,
          20 * second,
          45 * second,
          2 * minute,
          6 * minute,
        ]),
      };
    case "stall":
      return { do: "stall", ms: random.pick([second, 12 * second, 2 * minute]) };
    case "jump":
      return {
        do: "jump",
        ms: random.pick([
          -70 * minute,
          -minute,
          -3 * second,
          3 * second,
          minute,
          3 * minute,
          70 * minute,
          26 * hour,
          -26 * hour,
        ]),
      };
    case "become":
      return { do: "become", pick: random.below(8), how: random.pick(["foreign", "unkillable"] as const) };
    case "helpers":
      return { do: "helpers", answers: random.pick(["yes", "yes", "late", "never", "failing"] as const) };
    case "slow":
      return { do: "slow", writes: 1 + random.below(4), ms: random.pick([50, 1500, 12 * second]) };
    case "sleep":
      return {
        do: "sleep",
        at: 1 + random.below(5),
        ofTick: random.oneIn(2),
        ms: random.pick([3 * second, 2 * minute, 9 * hour]),
      };
    case "reload":
      return random.oneIn(3) ? { do: "revert" } : { do: "reload", seed: random.seed() };
    case "crash":
      return {
        do: "crash",
        at: random.pick([1, 1, 1, 2, 3, 4, 5, 6, 8, 11, 15, 25]),
        done: random.oneIn(2),
        ...(random.oneIn(2) ? {} : { kind: random.pick(effectKinds) }),
        away: random.pick([0, 0, second, minute, 10 * minute, 3 * hour]),
        again: random.oneIn(3) ? 1 + random.below(12) : 0,
        reboot: random.oneIn(5),
        ...(random.oneIn(5) ? { seed: random.seed() } : {}),
      };
    case "refuse":
      return {
        do: "refuse",
        at: 1 + random.below(6),
        lasts: random.pick([0, 0, 0, 2500, 8 * second, 15 * second, 90 * second]),
      };
    case "refuse start":
      return { do: "refuse start", at: 1 + random.below(12), lasts: random.pick([0, 0, 2500, 8 * second]) };
    case "clean stop":
      if (random.oneIn(3)) return { do: "drain" };
      return {
        do: "clean stop",
        away: random.pick([0, minute, 10 * minute]),
        ...(random.oneIn(5) ? { seed: random.seed() } : {}),
      };
  }
}

function habitOf(random: Random, name: string): Habit {
  const habit: Habit = {};
  const isService = serviceNames.includes(name);
  if (random.oneIn(isService ? 3 : 2)) {
    habit.lives = random.pick([1, 800, 3000, 5000, 8000, 15 * second, 70 * second]);
    habit.code = random.pick([0, 0, 0, 1, 1, 3, 134]);
    if (random.oneIn(6)) habit.dies = random.pick(["SIGSEGV", "SIGKILL"]);
  } else if (random.oneIn(8)) {
    habit.exits = random.pick([0, 0, 1]);
  }
  if (random.oneIn(5)) habit.ignores = random.pick([["SIGTERM"], ["SIGTERM", "SIGINT"]]);
  if (random.oneIn(6)) habit.onSignal = random.pick([0, 1]);
  if (random.oneIn(6)) habit.holdsPipes = true;
  if (random.oneIn(5)) {
    habit.family = random.pick(["obeys", "obeys", "ignores", "ignores", "foreign"] as const);
  }
  if (random.oneIn(12)) habit.refuses = "not today";
  return habit;
}
