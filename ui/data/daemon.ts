/// <reference lib="dom" />
import { computed, signal } from "@preact/signals";
import type { DaemonInfoJson } from "../../src/http/schemas/daemon.ts";
import { get } from "../net/api.ts";
import { onEvents } from "../net/events.ts";
import { zone } from "./settings.ts";

/** What the daemon says of itself; undefined before it was asked. */
export const daemon = signal<DaemonInfoJson | undefined>(undefined);
/** The configuration on disk is another one than that in force. */
export const isStale = signal(false);

/** The zone that times are shown in, an IANA name. */
export const shownZone = computed(() =>
  zone.value === "daemon" && daemon.value !== undefined
    ? daemon.value.resolved_timezone
    : Intl.DateTimeFormat().resolvedOptions().timeZone
);

export async function loadDaemon(): Promise<void> {
  daemon.value = await get<DaemonInfoJson>("/api/daemon");
  isStale.value = daemon.value.config_stale;
}

/** Keeps what is known of the daemon true. */
export function watchDaemon(): void {
  onEvents((events) => {
    for (const { name, data } of events) {
      if (name === "config.stale") isStale.value = JSON.parse(data).stale;
    }
    if (events.some(({ name }) => name === "resync" || name === "tasks.changed")) {
      loadDaemon().catch(() => {});
    }
  });
}
