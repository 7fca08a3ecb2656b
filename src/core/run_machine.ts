import type { EndReason } from "../types.ts";
import { type NamedProcess, pidWords } from "./pid_words.ts";

/** How long pipes that a stray child holds open may delay the end of a run, in ms (docs/behaviour.md#processes). */
export const pipeGrace = 2000;
/** Between two looks at what is left of a run whose process has ended on request, ms. */
export const lookAgain = 200;
/** A process that lives on so long after SIGKILL is not waited for in silence, ms. */
export const killPatience = 5000;
/** An end may be told to nobody: so often it is asked whether the process lives, and so soon once its pipes have ended, ms. */
export const askEvery = 60_000;
export const askSoon = 5000;
/** Who is gone is asked for once more after this time, since the word of its end may be on its way, ms. */
export const askTwice = 2000;

const lost = "its process is gone, and nobody was told of its end";
const lostExit: Exit = { code: 255, signal: "unknown", untold: lost };

/** The part of a unit's definition that a run's life depends on. Durations in ms, 0 = none. */
export interface RunPolicy {
  timeout: number;
  gracefulStop: number;
  stopSignal: string;
  killStrays: boolean;
}

/** Why a run is being ended before its process ends by itself. */
export type StopReason = Extract<
  EndReason,
  "stopped" | "timeout" | "log_overflow" | "daemon_stopped" | "unhealthy"
>;

/** How a process ended. `failure` is set when it never came as far as the script. */
export interface Exit {
  code: number;
  signal?: string;
  failure?: string;
  /** Set when the system did not say how it ended: why. */
  untold?: string;
}

/**
 * What is. `running`: the process lives. `stopping`: it was asked to end. `leaving`: it did, and the rest of the run has
 * what is left of the grace (docs/behaviour.md#processes). `killing`: it was killed. `closing`: it has ended, its pipes have not.
 * `sweeping`: what it left behind is being looked at, and killed.
 */
export type RunPhase = "running" | "stopping" | "leaving" | "killing" | "closing" | "sweeping" | "ended";

export interface RunState {
  phase: RunPhase;
  /** What is wanted: set once the run is to end. */
  want?: StopReason;
  exit?: Exit;
  pipesClosed: boolean;
  /** A signal of ours went out before the process ended. */
  signalled: boolean;
  /** It has lived on for so long after SIGKILL that nobody waits for it in silence any more. */
  isStuck?: boolean;
  /** It was asked for, and is gone, though its end was not told. */
  isMissed?: boolean;
  /** What was seen of the run after its process had ended; unset before the first look. */
  rest?: readonly NamedProcess[];
}

export type RunEvent =
  | { type: "exited"; exit: Exit }
  | { type: "pipes_closed" }
  | { type: "stop"; reason: StopReason }
  /** The end of all patience: no grace any more. */
  | { type: "kill"; reason: StopReason }
  | { type: "timer"; timer: RunTimer }
  /** `rest`: what still lives of a run whose process has ended; undefined: that can't be told. */
  | { type: "looked"; rest: readonly NamedProcess[] | undefined }
  | { type: "swept"; left: readonly NamedProcess[] }
  /** Whether the process lives, as it was asked for in this phase; undefined: that can't be told. */
  | { type: "asked"; lives: boolean | undefined };

/** What a sweep is for: all that a stopped run still has, strays of one that ended by itself, or strays that may stay. */
export type Sweep = "all" | "strays" | "spare";

export type RunTimer = "timeout" | "grace" | "pipes" | "look" | "last" | "ask";

export type RunEffect =
  | { do: "signal"; signal: string }
  /** SIGKILL to the group and to all that carry the run's id. */
  | { do: "kill_all" }
  /** Look at what still lives of a run whose process has ended; answered by `looked`. */
  | { do: "look" }
  /** Ask whether the process lives; answered by `asked`. */
  | { do: "ask" }
  /** A signal to those of the rest that the signal to the group did not reach: they have groups of their own. */
  | { do: "signal_rest"; signal: string }
  /** SIGKILL to the rest. */
  | { do: "kill_rest" }
  /** It can't be ended: nobody waits for it any more where the daemon stops. */
  | { do: "unkillable" }
  /** Look at what is left of the run, and kill it unless it may stay; answered by `swept`. */
  | { do: "sweep"; what: Sweep }
  | { do: "abandon_pipes" }
  /** Strays that may live on write into the pipes: what they write goes on being read, and is thrown away. */
  | { do: "release_pipes" }
  | { do: "set_timer"; timer: RunTimer; ms: number }
  | { do: "clear_timer"; timer: RunTimer }
  | { do: "say"; text: string }
  | { do: "end" };

type Step = [RunState, RunEffect[]];

/** The state of a run whose process has just been started, and what to do at once. */
export function begin(policy: RunPolicy): Step {
  const state: RunState = { phase: "running", pipesClosed: false, signalled: false };
  const effects: RunEffect[] = [{ do: "set_timer", timer: "ask", ms: askEvery }];
  if (policy.timeout > 0) effects.push({ do: "set_timer", timer: "timeout", ms: policy.timeout });
  return [state, effects];
}

/**
 * How a run stood that an earlier daemon left: `ranFor` and `askedFor` (since it was asked to end) are ms. `isAsked`: its
 * stop signal was sent; the daemon may have died before that.
 */
export interface LeftRun {
  phase: "running" | "stopping" | "killing";
  want?: StopReason;
  ranFor: number;
  askedFor: number;
  isAsked: boolean;
}

/** The state of a run that goes on under another daemon, and what to do at once: what has passed of its times counts. */
export function takeUp(policy: RunPolicy, { phase, want, ranFor, askedFor, isAsked }: LeftRun): Step {
  const [fresh, effects] = begin(policy);
  if (want === undefined || phase === "running") {
    return [
      fresh,
      effects.map((one) => one.do === "set_timer" && one.timer === "timeout" ? left(one, ranFor) : one),
    ];
  }
  const wanted: RunState = { ...fresh, want, signalled: true };
  if (phase === "stopping" && policy.gracefulStop > 0) {
    const grace: TimerEffect = { do: "set_timer", timer: "grace", ms: policy.gracefulStop };
    if (isAsked) return [{ ...wanted, phase }, [left(grace, askedFor)]];
    return [{ ...wanted, phase }, [
      { do: "say", text: `${policy.stopSignal} sent: the daemon died before that` },
      { do: "signal", signal: policy.stopSignal },
      grace,
    ]];
  }
  return [{ ...wanted, phase: "killing" }, [
    { do: "kill_all" },
    { do: "set_timer", timer: "last", ms: killPatience },
  ]];
}

type TimerEffect = Extract<RunEffect, { do: "set_timer" }>;

function left(effect: TimerEffect, passed: number): TimerEffect {
  return { ...effect, ms: Math.max(0, effect.ms - Math.max(0, passed)) };
}

/** The one table of a run's life: what an event does in a phase. What is not listed changes nothing. */
export function step(policy: RunPolicy, state: RunState, event: RunEvent): Step {
  const cell: `${RunPhase} ${RunEvent["type"]}` = `${state.phase} ${event.type}`;
  switch (cell) {
    case "running stop":
      return stop(policy, state, (event as StopEvent).reason);
    case "running kill":
    case "stopping kill":
      return kill({ ...state, want: state.want ?? (event as StopEvent).reason }, "SIGKILL: no time is left");
    case "running timer":
      if (onTimer(event, "ask")) return ask(state);
      return onTimer(event, "timeout")
        ? stop(policy, state, "timeout", `timeout after ${seconds(policy.timeout)}`)
        : [state, []];
    case "stopping timer":
      return onTimer(event, "grace")
        ? kill(state, `SIGKILL: still alive ${seconds(policy.gracefulStop)} after ${policy.stopSignal}`)
        : [state, []];

    case "killing timer":
      return onTimer(event, "last") || onTimer(event, "ask") ? ask(state) : [state, []];
    case "killing kill":
      return killAgain(state);
    case "killing stop":
      return (event as StopEvent).reason === "daemon_stopped" ? killAgain(state) : [state, []];

    case "stopping exited":
      return [{ ...state, phase: "leaving", exit: (event as { exit: Exit }).exit }, [{ do: "look" }]];
    case "leaving looked":
      return looked(policy, state, (event as { rest: readonly NamedProcess[] | undefined }).rest);
    case "leaving pipes_closed":
      return [{ ...state, pipesClosed: true }, [{ do: "clear_timer", timer: "look" }, { do: "look" }]];
    case "leaving timer":
      if (onTimer(event, "look")) return [state, [{ do: "look" }]];
      return onTimer(event, "grace")
        ? killRest(
          policy,
          state,
          `SIGKILL: still alive ${seconds(policy.gracefulStop)} after ${policy.stopSignal}`,
        )
        : [state, []];
    case "leaving kill":
      return killRest(policy, state, "SIGKILL: no time is left");

    case "running exited":
    case "killing exited":
      return exited(policy, state, (event as { exit: Exit }).exit);

    case "running asked":
    case "killing asked":
      return asked(policy, state, event as AskedEvent);

    case "running pipes_closed":
      return [{ ...state, pipesClosed: true }, setAsk(askSoon)];
    case "stopping pipes_closed":
    case "killing pipes_closed":
      return [{ ...state, pipesClosed: true }, []];
    case "closing pipes_closed":
      return sweep(policy, { ...state, pipesClosed: true }, []);
    case "closing timer":
      return onTimer(event, "pipes") ? sweep(policy, state, letPipesGo(policy, state)) : [state, []];
    case "closing stop":
    case "closing kill":
      return sweep(policy, state, [{ do: "clear_timer", timer: "pipes" }, ...letPipesGo(policy, state)]);

    case "sweeping swept": {
      const { left } = event as { left: readonly NamedProcess[] };
      const effects: RunEffect[] = left.length === 0
        ? []
        : [{ do: "say", text: `still alive after SIGKILL: ${pidWords(left)}` }];
      return [{ ...state, phase: "ended" }, [...effects, { do: "end" }]];
    }

    default:
      return [state, []];
  }
}

type StopEvent = Extract<RunEvent, { reason: StopReason }>;
type AskedEvent = Extract<RunEvent, { type: "asked" }>;

function onTimer(event: RunEvent, timer: RunTimer): boolean {
  return event.type === "timer" && event.timer === timer;
}

function stop(policy: RunPolicy, state: RunState, reason: StopReason, why?: string): Step {
  const wanted: RunState = { ...state, want: reason, signalled: true };
  const before: RunEffect[] = [
    { do: "clear_timer", timer: "timeout" },
    { do: "clear_timer", timer: "ask" },
  ];
  const name = reason === "stopped" ? "stop requested" : why ?? reason.replace("_", " ");
  if (policy.gracefulStop === 0) {
    const [killed, effects] = kill(wanted, `${name}: SIGKILL`);
    return [killed, [...before, ...effects]];
  }
  return [{ ...wanted, phase: "stopping" }, [
    ...before,
    { do: "say", text: `${name}: ${policy.stopSignal} sent` },
    { do: "signal", signal: policy.stopSignal },
    { do: "set_timer", timer: "grace", ms: policy.gracefulStop },
  ]];
}

function kill(state: RunState, why: string): Step {
  return [{ ...state, phase: "killing", signalled: true, isMissed: false }, [
    { do: "clear_timer", timer: "timeout" },
    { do: "clear_timer", timer: "ask" },
    { do: "clear_timer", timer: "grace" },
    { do: "say", text: why },
    { do: "kill_all" },
    { do: "set_timer", timer: "last", ms: killPatience },
  ]];
}

/** The daemon stops, and what was killed before still lives: for the last time. */
function killAgain(state: RunState): Step {
  if (state.isStuck !== true) return [state, [{ do: "kill_all" }]]; // it is waited for already
  return [{ ...state, isStuck: false }, [
    { do: "clear_timer", timer: "ask" },
    { do: "kill_all" },
    { do: "set_timer", timer: "last", ms: killPatience },
  ]];
}

function ask(state: RunState): Step {
  return [state, [{ do: "ask" }]];
}

function setAsk(ms: number): RunEffect[] {
  return [{ do: "clear_timer", timer: "ask" }, { do: "set_timer", timer: "ask", ms }];
}

/** Whether a process lives of whose end nobody was told. Where that can't be told, it may. */
function asked(policy: RunPolicy, state: RunState, { lives }: AskedEvent): Step {
  if (lives === false) {
    if (state.isMissed !== true) return [{ ...state, isMissed: true }, setAsk(askTwice)];
    const [next, effects] = exited(policy, state, lostExit);
    return [next, [{ do: "say", text: lost }, ...effects]];
  }
  const seen: RunState = { ...state, isMissed: false };
  if (state.phase === "running" || state.isStuck === true) return [seen, setAsk(askEvery)];
  const after = `${seconds(killPatience)} after SIGKILL`;
  const text = lives === true ? `still alive ${after}` : `whether it is still alive ${after} can't be told`;
  return [{ ...seen, isStuck: true }, [...setAsk(askEvery), { do: "say", text }, { do: "unkillable" }]];
}

/** The process has ended on request: how much of the run has not? */
function looked(policy: RunPolicy, state: RunState, rest: readonly NamedProcess[] | undefined): Step {
  const isGone = rest === undefined ? state.pipesClosed : rest.length === 0;
  if (isGone) return awaitPipes(policy, state);
  const effects: RunEffect[] = [{ do: "clear_timer", timer: "look" }];
  if (state.rest === undefined && rest !== undefined) {
    effects.push({ do: "signal_rest", signal: policy.stopSignal });
  }
  return [rest === undefined ? state : { ...state, rest }, [
    ...effects,
    { do: "set_timer", timer: "look", ms: lookAgain },
  ]];
}

function killRest(policy: RunPolicy, state: RunState, why: string): Step {
  const { rest = [] } = state;
  const [next, effects] = awaitPipes(policy, state);
  return [next, [
    { do: "say", text: rest.length === 0 ? why : `${why}: ${pidWords(rest)}` },
    { do: "kill_rest" },
    ...effects,
  ]];
}

/** All of the run has ended, as far as it is known: its pipes should have, too. */
function awaitPipes(policy: RunPolicy, state: RunState): Step {
  const next: RunState = { ...state, phase: "closing" };
  const effects: RunEffect[] = [{ do: "clear_timer", timer: "grace" }, { do: "clear_timer", timer: "look" }];
  if (state.pipesClosed) return sweep(policy, next, effects);
  return [next, [...effects, { do: "set_timer", timer: "pipes", ms: pipeGrace }]];
}

function letPipesGo(policy: RunPolicy, state: RunState): RunEffect[] {
  if (policy.killStrays || state.want !== undefined) return [{ do: "abandon_pipes" }];
  return [
    { do: "say", text: "what the run leaves behind goes on; what it writes from now on is not kept" },
    { do: "release_pipes" },
  ];
}

function exited(policy: RunPolicy, state: RunState, exit: Exit): Step {
  const next: RunState = { ...state, phase: "closing", exit };
  const effects: RunEffect[] = (["timeout", "ask", "grace", "last"] as const).map((timer) => ({
    do: "clear_timer",
    timer,
  }));
  if (state.pipesClosed) return sweep(policy, next, effects);
  return [next, [...effects, { do: "set_timer", timer: "pipes", ms: pipeGrace }]];
}

/** After a stop all of the run must go; else strays may stay where the unit says so. */
function sweep(policy: RunPolicy, state: RunState, before: RunEffect[]): Step {
  const what = state.want !== undefined ? "all" : policy.killStrays ? "strays" : "spare";
  return [{ ...state, phase: "sweeping" }, [
    ...before,
    { do: "clear_timer", timer: "pipes" },
    { do: "sweep", what },
  ]];
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`;
}
