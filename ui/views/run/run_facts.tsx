import type { ComponentChildren } from "preact";
import { sizeWords } from "../../../src/core/size.ts";
import { adoptedNote } from "../../../src/core/take_over_words.ts";
import { durationWords } from "../../../src/core/time_words.ts";
import { whyNotExecuted } from "../../../src/core/words.ts";
import { addressOf, Link } from "../../app/router.tsx";
import type { Run } from "../../data/runs.ts";
import { State, wordOfRun } from "../../parts/mark.tsx";
import { Duration, Time } from "../../parts/times.tsx";
import type { Neighbours } from "./run_data.ts";

interface FactsProps {
  run: Run;
  /** Why it never executed, where that was told. */
  error?: string | undefined;
  retries: Neighbours["retries"];
  /** It is one of several instances of a service. */
  isService: boolean;
}

const triggers: Readonly<Record<Run["triggered_by"], string>> = {
  cron: "its schedule",
  api: "a request",
  cloud: "the station",
  service: "its service",
  startup: "the daemon's start",
};

/** All that is known of a run besides its log, on one line where there is room. */
export function RunFacts({ run, error, retries, isService }: FactsProps) {
  const { start_at, end_at, created_at, peak_memory_bytes, cpu_time_ms, adopted_at } = run;
  const isOver = run.status === "ended";
  const hasExecuted = run.exit_code !== -1 && start_at !== undefined;
  const told = run.error ?? error;
  const why = isOver && !hasExecuted ? told ?? whyNotExecuted(run.end_reason) : undefined;
  return (
    <>
      {why === undefined ? null : <p class="run-why">It did not run: {why.replace(/\.$/, "")}.</p>}
      <dl class="run-facts">
        {isOver && hasExecuted ? <Fact name="Exit code">{exitWords(run.exit_code)}</Fact> : null}
        {isOver && hasExecuted && told !== undefined ? <Fact name="Why">{told}</Fact> : null}
        <Fact name="Started by">{triggers[run.triggered_by]}</Fact>
        {start_at === undefined
          ? (
            <Fact name={isOver ? "Recorded" : "Waits since"}>
              <Time at={created_at} />
            </Fact>
          )
          : (
            <Fact name="Started">
              <Time at={start_at} />
            </Fact>
          )}
        {adopted_at === undefined ? null : (
          <Fact name="Note">
            {adoptedNote} <Time at={adopted_at} />
          </Fact>
        )}
        {waitOf(run) === undefined ? null : <Fact name="Waited">{waitOf(run)}</Fact>}
        {start_at !== undefined && end_at !== undefined
          ? (
            <Fact name="Ended">
              <Time at={end_at} />
            </Fact>
          )
          : null}
        {start_at === undefined ? null : (
          <Fact name={isOver ? "Took" : "Runs for"}>
            <Duration from={start_at} to={end_at} />
          </Fact>
        )}
        {run.retry_attempt === 0 ? null : (
          <Fact name="Attempt">
            retry {run.retry_attempt} of {run.retry_of_run_id === undefined
              ? "a run that is gone"
              : <Link href={addressOf.run(run.retry_of_run_id)}>run {shortId(run.retry_of_run_id)}</Link>}
          </Fact>
        )}
        {retries.length === 0 ? null : (
          <Fact name={run.retry_attempt === 0 ? "Retries" : "Later retries"}>
            {retries.map((retry) => (
              <span key={retry.id} class="run-retry">
                <Link href={addressOf.run(retry.id)}>{retry.retry_attempt}</Link>{" "}
                <State word={wordOfRun(retry)} />
              </span>
            ))}
          </Fact>
        )}
        {isService ? <Fact name="Instance">{run.instance_index + 1}</Fact> : null}
        {peak_memory_bytes === undefined
          ? null
          : <Fact name="Peak memory">{sizeWords(peak_memory_bytes)}</Fact>}
        {cpu_time_ms === undefined ? null : <Fact name="CPU time">{durationWords(cpu_time_ms)}</Fact>}
        {run.external_execution_id === undefined ? null : (
          <Fact name="Execution">
            <code>{run.external_execution_id}</code>
          </Fact>
        )}
        {Object.entries(run.params ?? {}).map(([key, value]) => (
          <Fact key={key} name={key}>
            <code>{value === "" ? "(empty)" : value}</code>
          </Fact>
        ))}
      </dl>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function exitWords(code: number): string {
  return code === -2 ? "unknown: the daemon died" : String(code);
}

/** How long a run has waited before it started, where that is worth a word. */
function waitOf({ created_at, start_at }: Run): string | undefined {
  if (start_at === undefined) return undefined;
  const span = Date.parse(start_at) - Date.parse(created_at);
  return span >= 1000 ? durationWords(span) : undefined;
}

/** The end of an id, where those of one task differ. */
export function shortId(id: string): string {
  return `…${id.slice(-6)}`;
}
