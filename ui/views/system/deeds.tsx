/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { act, reload } from "../../app/actions.ts";
import { Changes, type Diff, readChanges } from "../../app/banners.tsx";
import { Dialog } from "../../app/dialog.tsx";
import { Link } from "../../app/router.tsx";
import { say } from "../../app/toast.tsx";
import { daemon, loadDaemon } from "../../data/daemon.ts";
import { send, session } from "../../net/api.ts";
import { outside } from "../../net/base.ts";
import { Action } from "../../parts/button.tsx";
import { saveBackup } from "./backup.ts";

type Open = "none" | "reload" | "drain";

/** What can be done to the daemon as a whole. */
export function Deeds() {
  const [open, setOpen] = useState<Open>("none");
  const close = (): void => setOpen("none");
  return (
    <section class="panel" aria-labelledby="system-deeds">
      <h2 id="system-deeds">Actions</h2>
      <div class="body system-deeds">
        <DeedList
          hasLogin={daemon.value?.auth_disabled === false}
          hasMetrics={daemon.value?.capabilities?.some(({ name, available }) =>
            name === "metrics" && available
          ) === true}
          onOpen={setOpen}
          onLogOut={() => void logOut()}
        />
      </div>
      {open === "reload" ? <ReloadDialog onClose={close} /> : null}
      {open === "drain" ? <DrainDialog onClose={close} /> : null}
    </section>
  );
}

interface DeedListProps {
  hasLogin: boolean;
  hasMetrics: boolean;
  onOpen: (open: Open) => void;
  onLogOut: () => void;
}

/** The actions, with what each does. */
export function DeedList({ hasLogin, hasMetrics, onOpen, onLogOut }: DeedListProps) {
  return (
    <>
      <ul>
        <li>
          <button type="button" onClick={() => onOpen("reload")}>Reload …</button>
          <span class="muted">Reads the configuration anew; shows first what would change.</span>
        </li>
        <li>
          <Action what="back up" onClick={() => void saveBackup()}>Back up</Action>
          <span class="muted">Saves a copy of the database as one file. Logs are not in it.</span>
        </li>
        <li>
          <button type="button" class="danger" onClick={() => onOpen("drain")}>Drain …</button>
          <span class="muted">Lets what runs come to its end, and then ends the daemon.</span>
        </li>
        {!hasLogin ? null : (
          <li>
            <Action what="log out" onClick={onLogOut}>Log out</Action>
            <span class="muted">Ends the session of this browser.</span>
          </li>
        )}
      </ul>
      <p class="system-links">
        <Link href="/system/log">Log of the daemon</Link>
        <a href={outside("/docs")}>The API</a>
        {hasMetrics ? <a href={outside("/metrics")}>Metrics</a> : null}
      </p>
    </>
  );
}

function ReloadDialog({ onClose }: { onClose: () => void }) {
  const [diff, setDiff] = useState<Diff>();
  useEffect(() => void readChanges().then(setDiff), []);
  const isRefused = diff !== undefined && "faults" in diff;
  return (
    <Dialog title="Reload the configuration" onClose={onClose}>
      <Changes diff={diff} />
      <div class="row">
        {isRefused
          ? null
          : <Action what="reload" class="primary" onClick={() => void reload().then(onClose)}>Reload</Action>}
        <button type="button" onClick={onClose}>{isRefused ? "Close" : "Cancel"}</button>
      </div>
    </Dialog>
  );
}

function DrainDialog({ onClose }: { onClose: () => void }) {
  const drain = async (): Promise<void> => {
    const done = await act("drain", () => send("/api/daemon/drain").then(() => true));
    if (done === undefined) return;
    say("The daemon starts nothing new, and ends when the runs of tasks have ended");
    onClose();
    loadDaemon().catch(() => {});
  };
  return (
    <Dialog title="Drain the daemon?" onClose={onClose}>
      <ul class="system-drain">
        <li>From now on nothing new is started. What waits stays queued for the next daemon.</li>
        <li>When the runs of tasks have ended, services stop, and the daemon ends.</li>
        <li>There is no way back but to start the daemon again on its machine.</li>
      </ul>
      <div class="row">
        <Action what="drain" class="danger" onClick={() => void drain()}>Drain, and end the daemon</Action>
        <button type="button" onClick={onClose}>Cancel</button>
      </div>
    </Dialog>
  );
}

async function logOut(): Promise<void> {
  const done = await act("log out", () => send("/api/auth/logout").then(() => true));
  if (done !== undefined) session.value = "out";
}
