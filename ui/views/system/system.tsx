/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import type { InstanceInfoJson } from "../../../src/http/schemas/daemon.ts";
import { Heading } from "../../parts/heading.tsx";
import { daemon, isStale } from "../../data/daemon.ts";
import { get, wordsOf } from "../../net/api.ts";
import { isGap, onEvents } from "../../net/events.ts";
import { Failed, Skeleton } from "../../parts/states.tsx";
import { BrowserSettings } from "./browser_settings.tsx";
import { Deeds } from "./deeds.tsx";
import { DaemonFacts, type SystemStats } from "./facts.tsx";
import { Machine } from "./machine.tsx";

/** The daemon, its machine, and what can be done to both. */
export default function System() {
  const [stats, setStats] = useState<SystemStats>();
  const [uptime, setUptime] = useState<string>();
  const [identity, setIdentity] = useState<InstanceInfoJson>();
  const [why, setWhy] = useState<string>();
  const load = (): void => {
    get("/api/system").then((stats) => {
      setStats(stats);
      setUptime(stats.uptime);
      setWhy(undefined);
    }, (error) => setWhy(wordsOf(error)));
  };
  useEffect(() => {
    load();
    return onEvents((events) => {
      const last = events.findLast(({ name }) => name === "system.sample");
      if (last !== undefined) setUptime(JSON.parse(last.data).uptime);
      if (events.some(isGap)) load();
    });
  }, []);
  useEffect(() => {
    // Elsewhere it is refused, and a refusal would stand in the browser's console.
    if (!/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(location.hostname)) return;
    get("/api/daemon/identity").then(setIdentity, () => {});
  }, []);
  return (
    <div class="system">
      <Heading title="System" />
      <div class="system-grid">
        <section class="panel" aria-labelledby="system-daemon">
          <h2 id="system-daemon">Daemon</h2>
          <div class="body">
            {daemon.value === undefined
              ? why === undefined
                ? <Skeleton rows={8} />
                : <Failed what="the daemon" why={why} onRetry={load} />
              : (
                <DaemonFacts
                  daemon={daemon.value}
                  isStale={isStale.value}
                  uptime={uptime}
                  workDir={stats?.work_dir}
                  identity={identity}
                />
              )}
          </div>
        </section>
        <div class="system-side">
          <Machine stats={stats} />
          <Deeds />
          <BrowserSettings />
        </div>
      </div>
    </div>
  );
}
