import type { LogPolicy } from "./limits.ts";
import { systemTexts } from "./system.ts";

/** After a failure, the disk is tried again after this many ms at the earliest. */
export const RETRY_MS = 1000;

/** The disk refused; `lost` lines are missing since. */
export interface LogFailure {
  message: string;
  lost: number;
  /** When it is tried again at the earliest, Unix ms. */
  retryAt: number;
}

/** What stands between the lines of a run and the disk, and what it has cost. */
export interface LogState {
  /** The folder was made, or what it holds was taken over. */
  isOpen: boolean;
  failure: LogFailure | undefined;
  /** Lines that are missing since output is held back; undefined while it isn't. */
  heldBack: number | undefined;
  /** The log has reached its size: of output nothing more is stored. */
  isFull: boolean;
  /** Lines that were never stored, in all. */
  lost: number;
}

/** What happens to a log. Times are Unix ms. */
export type LogEvent =
  /** Lines are to be stored. `why`: what forbids output at the moment, if anything does. */
  | { type: "output"; lines: number; why: string | undefined; at: number }
  /** The disk is needed now. */
  | { type: "wanted"; at: number }
  | { type: "opened" }
  /** The disk refused, and `lost` lines of what it was to take are gone. */
  | { type: "refused"; message: string; lost: number; at: number }
  /** The disk has taken something again. */
  | { type: "recovered" }
  /** It has not. */
  | { type: "still_refused"; message: string; at: number }
  /** Lines could not be put anywhere. */
  | { type: "missed"; lines: number }
  /** Lines are more than the log may grow by. */
  | { type: "filled"; at: number }
  /** Nothing more comes. */
  | { type: "ending"; at: number }
  /** The last chance to say what is missing, whatever the time. */
  | { type: "ended"; at: number };

/** What is to be done, in this order; where the disk refuses one, the rest is left. */
export type LogEffect =
  /** Open the files; answered by `opened` or `refused`. */
  | { do: "open" }
  /** Write a line of the daemon to see whether the disk takes it; answered by `recovered` or `still_refused`. */
  | { do: "try"; text: string; at: number }
  /** Store the lines; where the disk fails they are `missed`. */
  | { do: "store" }
  /** Store as many of the lines as there is room for; the others are `missed`. */
  | { do: "store_fitting" }
  /** Add the daemon's own words, where the disk can be had. */
  | { do: "say"; text: string; at: number }
  /** Add them as a line to what is being stored. */
  | { do: "add"; text: string; at: number }
  /** The run has to be stopped. */
  | { do: "stop_run" };

type Step = [LogState, readonly LogEffect[]];

const NOTHING: readonly LogEffect[] = [];
const STORE: readonly LogEffect[] = [{ do: "store" }];
const OPEN: readonly LogEffect[] = [{ do: "open" }];

/** A log that nothing was stored of yet. */
export const newLog: LogState = {
  isOpen: false,
  failure: undefined,
  heldBack: undefined,
  isFull: false,
  lost: 0,
};

/** What a log does where something happens to it; the only place that counts what is lost. */
export function step(policy: LogPolicy, state: LogState, event: LogEvent): Step {
  const { failure } = state;
  switch (event.type) {
    case "output":
      return output(state, event);
    case "wanted":
      return [state, wanted(state, event.at)];
    case "opened":
      return [{ ...state, isOpen: true }, NOTHING];
    case "refused":
      return [{
        ...state,
        lost: state.lost + event.lost,
        failure: {
          message: event.message,
          lost: event.lost + (failure?.lost ?? 0),
          retryAt: event.at + RETRY_MS,
        },
      }, NOTHING];
    case "recovered":
      return [{ ...state, failure: undefined }, NOTHING];
    case "still_refused":
      return [{
        ...state,
        failure: { lost: failure?.lost ?? 0, message: event.message, retryAt: event.at + RETRY_MS },
      }, NOTHING];
    case "missed":
      return [missed(state, event.lines), NOTHING];
    case "filled":
      return [{ ...state, isFull: true }, filled(policy, event.at)];
    case "ending":
      return [{ ...state, heldBack: undefined }, endOfHold(state, event.at)];
    case "ended":
      return [state, failure === undefined ? NOTHING : [retry(failure, event.at)]];
  }
}

/** A full log asks no more whether there is space. Being held back, and its end, are said. */
function output(state: LogState, { lines, why, at }: Extract<LogEvent, { type: "output" }>): Step {
  if (state.isFull) return [missed(state, lines), NOTHING];
  if (why !== undefined) {
    const effects: LogEffect[] = state.heldBack === undefined
      ? [{ do: "say", text: `${why}: output is not stored until there is more`, at }]
      : [];
    return [missed({ ...state, heldBack: state.heldBack ?? 0 }, lines), effects];
  }
  if (state.heldBack === undefined) {
    const asked = wanted(state, at);
    return [state, asked.length === 0 ? STORE : [...asked, ...STORE]];
  }
  // What is said asks for the disk.
  const said = endOfHold(state, at);
  return [{ ...state, heldBack: undefined }, [...(said.length === 0 ? wanted(state, at) : said), ...STORE]];
}

/** What has to be done before the disk takes anything, if it is time for that. */
function wanted({ isOpen, failure }: LogState, at: number): readonly LogEffect[] {
  if (failure !== undefined) return at < failure.retryAt ? NOTHING : [retry(failure, at)];
  return isOpen ? NOTHING : OPEN;
}

/** Lines count for the reason for which they are missing: who is held back does not ask the disk. */
function missed(state: LogState, lines: number): LogState {
  const { failure, heldBack } = state;
  const lost = state.lost + lines;
  if (heldBack !== undefined) return { ...state, lost, heldBack: heldBack + lines };
  if (failure === undefined) return { ...state, lost };
  return { ...state, lost, failure: { ...failure, lost: failure.lost + lines } };
}

function endOfHold({ heldBack = 0 }: LogState, at: number): LogEffect[] {
  return heldBack === 0
    ? []
    : [{ do: "say", text: `${heldBack} lines of output were not stored for lack of space`, at }];
}

function retry({ lost, message }: LogFailure, at: number): LogEffect {
  const missing = lost > 0 ? `${lost} lines are missing here` : "output may be missing here";
  const [text = missing] = systemTexts(`output could not be stored, ${missing}: ${message}`);
  return { do: "try", text, at };
}

function filled({ maxSize, onFull }: LogPolicy, at: number): LogEffect[] {
  const isStopped = onFull === "kill_task";
  const then = isStopped ? "the run is being stopped" : "later output is not stored";
  return [
    { do: "store_fitting" },
    { do: "add", text: `the log has reached ${maxSize} bytes (log_max_size): ${then}`, at },
    ...(isStopped ? [{ do: "stop_run" } as const] : []),
  ];
}
