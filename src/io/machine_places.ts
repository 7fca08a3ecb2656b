import { type MachineZone, machineZone } from "../core/cron/machine_zone.ts";
import { resolvePath } from "../core/config/path.ts";
import { Fault } from "../fault.ts";

/** The folder that this process works in; undefined where it has been removed since, or has no name that can be said. */
export function workingFolder(): string | undefined {
  const found = lookAtFolder();
  return typeof found === "string" ? found : undefined;
}

/** Why there is no working folder, as half a sentence; undefined where there is one. */
export function whyNoFolder(): string | undefined {
  const found = lookAtFolder();
  if (typeof found === "string") return undefined;
  return found.isUnnamable
    ? "the name of the folder that svc was started in, or of one around it, is not UTF-8"
    : "the folder that svc was started in has been removed";
}

function lookAtFolder(): string | { isUnnamable: boolean } {
  try {
    return Deno.cwd();
  } catch (error) {
    return { isUnnamable: error instanceof Deno.errors.InvalidData };
  }
}

/** What to add to the news that a named path isn't there: the runtime reads arguments as UTF-8, and gives up what is none. */
export function nameHint(path: string): string {
  return path.includes("\ufffd")
    ? "; names that are not UTF-8 can't be used: rename it, or lead there by a link"
    : "";
}

/** A path as it was named to this process, made absolute. Throws `Fault` for a relative one where the folder is gone. */
export function absolutePath(path: string): string {
  const base = path.startsWith("/") ? "/" : workingFolder();
  if (base === undefined) {
    throw new Fault(
      "not_found",
      `cannot tell what "${path}" is: ${whyNoFolder()}; name a path that begins with "/"`,
    );
  }
  return resolvePath(path, { base });
}

/** The time zone of this machine's programs: that of `TZ` as the C library reads it, else the machine's own. */
export function lookUpTimezone(env: Record<string, string | undefined> = Deno.env.toObject()): MachineZone {
  return machineZone(env["TZ"], {
    system: Temporal.Now.timeZoneId(),
    year: new Date().getUTCFullYear(),
    target(path) {
      // The next link has the name that was chosen; the last may have that of another zone with the same rules.
      const next = orNone(() => Deno.readLinkSync(path));
      return next?.includes("/zoneinfo/") ? next : orNone(() => Deno.realPathSync(path));
    },
  });
}

/** The same, for what goes by it. Throws `Fault` for a variable that no zone is like. */
export function hostTimezone(): string {
  const found = lookUpTimezone();
  if ("zone" in found) return found.zone;
  throw new Fault(
    "invalid",
    `${found.why}: set TZ to a name such as "Europe/Berlin", or "timezone" in [daemon]`,
  );
}

/** The same, for what is only shown: UTC where no zone is like it. */
export function shownTimezone(): string {
  const found = lookUpTimezone();
  return "zone" in found ? found.zone : "UTC";
}

function orNone(ask: () => string): string | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
