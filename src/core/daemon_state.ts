/** What a daemon that starts nothing says of itself, as far as that matters here. */
export interface Halted {
  scheduling_active: boolean;
  trial?: object | undefined;
}

/** Why a daemon starts nothing at the moment, in a word; undefined where it does. */
export function haltWord(
  { scheduling_active: isActive, trial }: Halted,
): "on trial" | "stopping" | undefined {
  if (isActive) return undefined;
  return trial === undefined ? "stopping" : "on trial";
}
