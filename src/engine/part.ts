import type { Bus } from "./bus.ts";

/** A part of the engine that does something by itself from its start to its stop. */
export interface Part {
  start(bus: Bus): void;
  /** Nothing of it is left to be done once it resolves. */
  stop(): void | Promise<void>;
}

/** Starts parts, the first first. */
export function startAll(parts: readonly Part[], bus: Bus): void {
  for (const part of parts) part.start(bus);
}

/** Stops parts, the last first; one that was never started takes no harm. */
export async function stopAll(parts: readonly Part[]): Promise<void> {
  for (const part of parts.toReversed()) await part.stop();
}
