import { useEffect, useState } from "preact/hooks";
import { refusingAdvice, refusingWords } from "../../src/core/refusal.ts";
import type { RefusingJson, ReloadResultJson } from "../../src/http/schemas/daemon.ts";
import { now } from "../data/clock.ts";
import { isStale, refusing } from "../data/daemon.ts";
import { ApiError, send, wordsOf } from "../net/api.ts";
import { link } from "../net/events.ts";
import { Action } from "../parts/button.tsx";
import { reload } from "./actions.ts";

/** What concerns the whole page: the daemon is away or being replaced, its database refuses, or its configuration on disk is another one. */
export function Banners() {
  return (
    <>
      {link.value === "away"
        ? (
          <div class="banner bad" role="alert">
            The daemon does not answer. What you see is as it was; the page comes back by itself.
          </div>
        )
        : link.value === "replaced"
        ? (
          <div class="banner" role="status">
            The daemon is being replaced. What runs goes on; the page comes back by itself.
          </div>
        )
        : null}
      {refusing.value === undefined ? null : <RefusingBanner {...refusing.value} now={now.value} />}
      {isStale.value ? <StaleBanner /> : null}
    </>
  );
}

/** Nothing goes on in the daemon: why, and what to do. */
export function RefusingBanner({ since, why, now }: RefusingJson & { now: number }) {
  const advice = refusingAdvice(why);
  return (
    <div class="banner bad" role="alert">
      {refusingWords({ since: Date.parse(since), why }, now)} {advice[0]!.toUpperCase() + advice.slice(1)}.
    </div>
  );
}

/** What a reload would change, or why it would be refused; undefined while the daemon looks. */
export type Diff = { plan: ReloadResultJson } | { faults: string[] } | undefined;

/** While the changes are shown, the file is looked at every so many ms. */
const lookAgain = 3000;

function StaleBanner() {
  const [diff, setDiff] = useState<Diff>();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!isOpen) return;
    let isOver = false;
    const read = (): void => void readChanges().then((diff) => isOver || setDiff(diff));
    read();
    // The file may change again while somebody looks.
    const timer = setInterval(read, lookAgain);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [isOpen]);
  /** What a refused reload found stands in the list. */
  const onReload = async (): Promise<void> => {
    await reload();
    if (!isStale.value) return;
    setDiff(await readChanges());
    setOpen(true);
  };
  return (
    <div class="banner warn" role="status">
      <div class="row">
        <span>The configuration on disk has changed since it was read.</span>
        <span class="fill" />
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Hide changes" : "Show changes"}
        </button>
        <Action what="reload" class="primary" onClick={onReload}>Reload</Action>
      </div>
      {isOpen ? <Changes diff={diff} /> : null}
    </div>
  );
}

/** Asks what a reload would change. */
export function readChanges(): Promise<Diff> {
  return send("/api/daemon/reload", { dry_run: true }).then(
    (plan) => ({ plan }),
    (error) => ({ faults: faultsOf(error) }),
  );
}

function faultsOf(error: unknown): string[] {
  if (!(error instanceof ApiError) || error.errors.length === 0) return [wordsOf(error)];
  return error.errors.map(({ location, message }) => [location, message].filter(Boolean).join(": "));
}

/** What a reload would do, unit by unit. */
export function Changes({ diff }: { diff: Diff }) {
  if (diff === undefined) return <p>Reading the file …</p>;
  if ("faults" in diff) {
    return (
      <>
        <p>A reload would be refused, and nothing changed:</p>
        <ul class="diff">{diff.faults.map((fault) => <li class="bad" key={fault}>{fault}</li>)}</ul>
      </>
    );
  }
  const { added, removed, changed } = diff.plan;
  const lines = [
    ...(added ?? []).map((name) => ({ sign: "+", role: "good", text: name })),
    ...(removed ?? []).map((name) => ({ sign: "−", role: "bad", text: name })),
    ...(changed ?? []).map(({ name, reasons }) => ({
      sign: "~",
      role: "warn",
      text: `${name}: ${(reasons ?? []).join(", ")}`,
    })),
  ];
  if (lines.length === 0) return <p>A reload would change no unit.</p>;
  return (
    <ul class="diff">
      {lines.map(({ sign, role, text }) => (
        <li key={text}>
          <b class={role}>{sign}</b> {text}
        </li>
      ))}
    </ul>
  );
}
