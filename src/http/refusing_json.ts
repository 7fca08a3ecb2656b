import type { Refusing } from "../core/refusal.ts";
import { isoTime } from "./run_json.ts";
import type { RefusingJson } from "./schemas/daemon.ts";

/** Since when and why the database refuses; undefined while it takes everything. */
export function refusingJson(refusing: Refusing | undefined): RefusingJson | undefined {
  return refusing && { since: isoTime(refusing.since), why: refusing.why };
}
