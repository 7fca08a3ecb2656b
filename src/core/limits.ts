import type { Limits, Unit } from "../types.ts";

/** A key of `limits`. */
export type LimitName = keyof Limits;

const names: readonly LimitName[] = ["memory", "cpu", "pids"];

/** What can be held, and the control group that the daemon shares with others, where that is why it is no more. */
export interface HeldLimits {
  limits: ReadonlySet<LimitName>;
  shared?: string;
}

/** What a user must be told of limits that this machine does not let the daemon hold: one sentence a key. */
export function unheldLimits(units: readonly Unit[], { limits: held, shared }: HeldLimits): string[] {
  return names.filter((name) => !held.has(name)).flatMap((name) => {
    const bound = units.filter(({ limits }) => limits[name] !== undefined);
    const first = bound[0];
    if (first === undefined) return [];
    const more = bound.length === 1 ? "" : ` and ${bound.length - 1} more`;
    return [
      `limits.${name} of "${first.name}"${more} is not held: ${
        shared !== undefined
          ? `the daemon shares control group "${shared}" with other processes; start it as a service ("svc service install")`
          : held.size === 0
          ? "the daemon may not make control groups here"
          : `there is no control group controller for ${name} that the daemon may use`
      }`,
    ];
  });
}
