import { longestTurn } from "../core/turn.ts";

/** Does work that is cut in steps, in turns between which everything else has its own. */
export async function inTurns<Result>(work: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const step = oneTurn(work);
    if (step.done) return step.value;
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** Does one turn of work: its steps until `longestTurn` is over, or its end. */
export function oneTurn<Result>(work: Generator<void, Result>): IteratorResult<void, Result> {
  const end = performance.now() + longestTurn;
  let step = work.next();
  while (!step.done && performance.now() < end) step = work.next();
  return step;
}
