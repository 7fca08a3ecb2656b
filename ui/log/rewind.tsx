/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { Dialog } from "../app/dialog.tsx";
import { get, wordsOf } from "../net/api.ts";
import { Failed, Skeleton } from "../parts/states.tsx";
import { Text } from "./log_row.tsx";

interface RewindProps {
  runId: string;
  n: number;
  onClose: () => void;
}

/** The earlier frames of a line that was redrawn, to go through one by one. */
export function Rewind({ runId, n, onClose }: RewindProps) {
  const [frames, setFrames] = useState<ReadonlyArray<readonly string[]>>();
  const [error, setError] = useState("");
  const [at, setAt] = useState(0);
  useEffect(() => {
    const asked = new AbortController();
    get("/api/runs/:runId/log/line/:n/history", { runId, n: String(n) }, asked.signal).then(({ frames }) => {
      setFrames(frames ?? []);
      setAt(Math.max(0, (frames ?? []).length - 1));
    }, (error) => asked.signal.aborted || setError(wordsOf(error)));
    return () => asked.abort();
  }, [runId, n]);
  return (
    <Dialog title={`Earlier states of line ${n + 1}`} onClose={onClose} class="log-rewinding">
      {error !== "" ? <Failed what="the earlier states" why={error} /> : null}
      {error === "" && frames === undefined ? <Skeleton rows={2} /> : null}
      {frames === undefined ? null : <Frames frames={frames} at={at} onMove={setAt} />}
    </Dialog>
  );
}

interface FramesProps {
  frames: ReadonlyArray<readonly string[]>;
  at: number;
  onMove: (at: number) => void;
}

/** One of several frames, and the way to the others. */
export function Frames({ frames, at, onMove }: FramesProps) {
  if (frames.length === 0) return <p class="muted">No earlier states were kept.</p>;
  const rows = Math.max(...frames.map((frame) => frame.length));
  const last = frames.length - 1;
  return (
    <>
      <pre class="log-frame" style={{ minHeight: `${rows * 18 + 16}px` }}>
        {frames[at]?.map((row, i) => <div key={i}><Text text={row} /></div>)}
      </pre>
      <div class="row log-frames">
        <button type="button" disabled={at === 0} onClick={() => onMove(at - 1)}>‹ Before</button>
        <input
          type="range"
          aria-label="State"
          min={0}
          max={last}
          value={at}
          aria-valuetext={`${at + 1} of ${frames.length}`}
          onInput={(event) => onMove(Number(event.currentTarget.value))}
        />
        <button type="button" disabled={at === last} onClick={() => onMove(at + 1)}>Next ›</button>
        <span class="muted number">{at + 1} of {frames.length}</span>
      </div>
    </>
  );
}
