/** What a step of a machine tells of an event: no texts, which may hold what a unit keeps secret. */
interface Told {
  type: string;
  timer?: string;
  reason?: string;
  exit?: { code: number; signal?: string };
  life?: { reason: string; ranFor: number };
  rest?: readonly unknown[] | undefined;
  left?: readonly unknown[];
}

interface ToldEffect {
  do: string;
  timer?: string;
  ms?: number;
  signal?: string;
  what?: string;
  reason?: string;
  tries?: number;
}

interface ToldState {
  phase: string;
  want?: string;
}

/** A step, as `--log-level trace` shows it. */
export interface StepWords {
  /** "running" */
  before: string;
  /** "stop(stopped)" */
  event: string;
  /** "stopping" */
  after: string;
  want?: string;
  /** "clear_timer(timeout) signal(SIGTERM) set_timer(grace 10000)"; absent where nothing was to be done. */
  effects?: string;
}

/** One step of either machine in words: names, reasons and numbers alone. */
export function stepWords(
  event: Told,
  { before, after, effects }: { before: ToldState; after: ToldState; effects: readonly ToldEffect[] },
): StepWords {
  return {
    before: before.phase,
    event: eventWords(event),
    after: after.phase,
    ...(after.want === undefined ? {} : { want: after.want }),
    ...(effects.length === 0 ? {} : { effects: effects.map(effectWords).join(" ") }),
  };
}

function eventWords({ type, timer, reason, exit, life, rest, left }: Told): string {
  return named(type, [
    timer,
    reason,
    exit?.signal ?? exit?.code,
    life?.reason,
    life?.ranFor,
    rest?.length,
    left?.length,
  ]);
}

function effectWords({ do: name, timer, ms, signal, what, reason, tries }: ToldEffect): string {
  return named(name, [timer, ms, signal, what, reason, tries]);
}

function named(name: string, details: readonly (string | number | undefined)[]): string {
  const known = details.filter((detail) => detail !== undefined);
  return known.length === 0 ? name : `${name}(${known.join(" ")})`;
}
