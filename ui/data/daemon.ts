/// <reference lib="dom" />
import { computed, effect, signal } from "@preact/signals";
import type { DaemonInfoJson, RefusingJson } from "../../src/http/schemas/daemon.ts";
import { get } from "../net/api.ts";
import { link, onEvents } from "../net/events.ts";
import { zone } from "./settings.ts";

/** What the daemon says of itself; undefined before it was asked. */
export const daemon = signal<DaemonInfoJson | undefined>(undefined);
/** The configuration on disk is another one than that in force. */
export const isStale = signal(false);
/** Since when and why the daemon's database refuses; undefined while it takes everything. */
export const refusing = signal<RefusingJson | undefined>(undefined);

/** The zone that times are shown in, an IANA name. */
export const shownZone = computed(() =>
  zone.value === "daemon" && daemon.value !== undefined
    ? daemon.value.resolved_timezone
    : Intl.DateTimeFormat().resolvedOptions().timeZone
);

export async function loadDaemon(): Promise<void> {
  daemon.value = await get("/api/daemon");
  isStale.value = daemon.value.config_stale;
  refusing.value = daemon.value.refusing;
}

/** Keeps what is known of the daemon true. */
export function watchDaemon(): void {
  // Not all that is told is told again after a break.
  effect(() => {
    if (link.value === "live") loadDaemon().catch(() => {});
  });
  onEvents((events) => {
    for (const { name, data } of events) {
      if (name === "config.stale") isStale.value = JSON.parse(data).stale;
      if (name === "daemon.refusing") refusing.value = JSON.parse(data).refusing ?? undefined;
    }
    if (events.some(({ name }) => name === "resync" || name === "tasks.changed")) {
      loadDaemon().catch(() => {});
    }
  });
}
