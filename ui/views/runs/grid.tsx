/// <reference lib="dom" />
import type { ComponentChildren } from "preact";
import { addressOf, Link } from "../../app/router.tsx";
import type { Run } from "../../data/runs.ts";
import { State, wordOfRun } from "../../parts/mark.tsx";
import { Duration, Time } from "../../parts/times.tsx";
import { sortOf } from "./filters.ts";

const columns = [
  { name: "state", label: "State", field: "status" },
  { name: "unit", label: "Unit", field: "task_name" },
  { name: "id", label: "Run" },
  { name: "trigger", label: "Trigger" },
  { name: "created", label: "Created", field: "created_at" },
  { name: "duration", label: "Duration", field: "duration" },
  { name: "code", label: "Exit", field: "exit_code" },
  { name: "attempt", label: "Attempt" },
] as const;

interface HeadProps {
  query: URLSearchParams;
  /** Whether all, some or no runs are selected. */
  chosen: "all" | "some" | "none";
  onSort: (field: string) => void;
  onAll: () => void;
}

/** The heads of the columns; those of fields that the API can sort by are buttons. */
export function GridHead({ query, chosen, onSort, onAll }: HeadProps) {
  const sort = sortOf(query);
  return (
    <div role="row" class="runs-head" aria-rowindex={1}>
      <span role="columnheader" class="runs-check">
        <input
          type="checkbox"
          aria-label="Select all that match"
          checked={chosen === "all"}
          indeterminate={chosen === "some"}
          onClick={onAll}
        />
      </span>
      {columns.map((column) => {
        const field = "field" in column ? column.field : undefined;
        const isSorted = field !== undefined && field === sort.field;
        const direction = sort.isDescending ? "descending" : "ascending";
        return (
          <span
            key={column.name}
            role="columnheader"
            class={`runs-${column.name}`}
            aria-sort={field === undefined ? undefined : isSorted ? direction : "none"}
          >
            {field === undefined ? column.label : (
              <button type="button" onClick={() => onSort(field)}>
                {column.label}
                <span aria-hidden="true">{isSorted ? sort.isDescending ? "↓" : "↑" : ""}</span>
              </button>
            )}
          </span>
        );
      })}
    </div>
  );
}

/** What a row can tell of what was done with it. */
export interface RowEvents {
  onOpen: (run: Run) => void;
  /** `isRange`: up to this row from the one before that was chosen. */
  onSelect: (index: number, options: { isRange: boolean }) => void;
  onFocus: (index: number) => void;
}

interface RowProps extends RowEvents {
  index: number;
  run: Run;
  isSelected: boolean;
  isGone: boolean;
  /** Tab comes here. */
  isStop: boolean;
  /** `j` and `k` come here. */
  isSeen: boolean;
}

/** A run in the list. */
export function RunRow({ index, run, isSelected, isGone, isStop, isSeen, ...on }: RowProps) {
  const wasExecuted = run.status === "ended" && run.start_at !== undefined;
  return (
    <div
      role="row"
      class={`runs-row${isSelected ? " selected" : ""}${isGone ? " gone" : ""}`}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      tabIndex={isStop ? 0 : -1}
      data-row={isSeen ? "" : undefined}
      data-index={index}
      onFocus={() => on.onFocus(index)}
      onMouseDown={(event) => {
        // A range of rows is meant, not one of letters.
        if (event.shiftKey) event.preventDefault();
      }}
      onClick={(event) => {
        const target = event.target as HTMLElement;
        const isCheck = target.closest(".runs-check") !== null;
        // With the shift key a range is meant, on a link too.
        if (!isCheck && !event.shiftKey && target.closest("a") !== null) return;
        if (isCheck || event.shiftKey || event.ctrlKey || event.metaKey) {
          event.preventDefault();
          on.onSelect(index, { isRange: event.shiftKey });
          event.currentTarget.focus({ preventScroll: true });
        } else if (String(getSelection()) === "") on.onOpen(run);
      }}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key === "Enter") on.onOpen(run);
        else if (event.key === " ") on.onSelect(index, { isRange: event.shiftKey });
        else return;
        event.preventDefault();
      }}
    >
      <span role="gridcell" class="runs-check">
        <input
          type="checkbox"
          tabIndex={-1}
          checked={isSelected}
          aria-label={`Select the run of ${run.task_name}`}
          // The row keeps the focus, so that keys go on from here; and what is ticked is what is selected.
          onMouseDown={(event) => event.preventDefault()}
          onClick={(event) => event.preventDefault()}
        />
      </span>
      <Cell name="state">
        <State word={wordOfRun(run)} />
      </Cell>
      <Cell name="unit" title={run.task_name}>
        <Link href={addressOf.unit(run.task_name)} tabIndex={-1}>{run.task_name}</Link>
      </Cell>
      <Cell name="id">
        <Link href={addressOf.run(run.id)} title={run.id} tabIndex={-1}>{shortId(run.id)}</Link>
      </Cell>
      <Cell name="trigger">{run.triggered_by}</Cell>
      <Cell name="created">
        <Time at={run.created_at} />
      </Cell>
      <Cell name="duration">
        <Duration from={run.start_at} to={run.end_at} />
      </Cell>
      <Cell name="code">{wasExecuted ? run.exit_code : <span class="muted">–</span>}</Cell>
      <Cell name="attempt">{run.retry_attempt > 0 ? `retry ${run.retry_attempt}` : ""}</Cell>
    </div>
  );
}

function Cell({ name, title, children }: { name: string; title?: string; children?: ComponentChildren }) {
  return <span role="gridcell" class={`runs-${name}`} title={title}>{children}</span>;
}

/** A row that is being read. */
export function UnknownRow({ index }: { index: number }) {
  return (
    <div role="row" class="runs-row" aria-rowindex={index + 2} aria-busy="true">
      <span role="gridcell" class="runs-bone" aria-label="Loading" />
    </div>
  );
}

/** The end of an id, where ids of the same time differ. */
function shortId(id: string): string {
  return `…${id.slice(-6)}`;
}
