import type { Effect } from "./effect.ts";
import { logHeight } from "./layout.ts";
import { inSight, type Rewind } from "./log_window.ts";
import { type State, viewOf, withMessage, withView } from "./state.ts";

/** The state one frame earlier (-1) or later (1): of the line that is rewound, else of the last in sight that was redrawn. */
export function rewind(state: State, by: -1 | 1): [State, readonly Effect[]] {
  const view = viewOf(state);
  if (view.kind !== "run") return [state, []];
  const { rewind: current, ...log } = view.log;
  if (current !== undefined) {
    const at = Math.max(0, current.at + by);
    // Behind the last frame comes the line itself.
    const isOver = at >= current.frames.length;
    return [withView(state, { ...view, log: isOver ? log : { ...log, rewind: { ...current, at } } }), []];
  }
  if (by > 0) return [state, []];
  const line = inSight(view.log, logHeight(state)).findLast(({ frame_count }) => frame_count);
  if (line === undefined) return [withMessage(state, "No line in sight was redrawn."), []];
  return [state, [{ do: "frames", id: view.id, n: line.n }]];
}

/** The state once the frames of a line have come: the newest of them is shown. */
export function withFrames(
  state: State,
  { id, n, frames }: { id: string; n: number; frames: Rewind["frames"] },
): State {
  const view = viewOf(state);
  if (view.kind !== "run" || view.id !== id) return state;
  if (frames.length === 0) return withMessage(state, "The earlier frames of this line are gone.");
  return withView(state, { ...view, log: { ...view.log, rewind: { n, frames, at: frames.length - 1 } } });
}
