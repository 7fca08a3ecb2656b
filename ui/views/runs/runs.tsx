/// <reference lib="dom" />
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { deleteRuns, type Selector } from "../../app/actions.ts";
import { bindKeys } from "../../app/keys.ts";
import { addressOf, go, place, setQuery } from "../../app/router.tsx";
import { Heading } from "../../parts/heading.tsx";
import { say } from "../../app/toast.tsx";
import { shownZone } from "../../data/daemon.ts";
import { onRuns, type Run } from "../../data/runs.ts";
import { unitList } from "../../data/units.ts";
import { get, wordsOf } from "../../net/api.ts";
import { Empty, Failed, Skeleton } from "../../parts/states.tsx";
import { BulkBar, rerunMany, runsWords, single, stopMany } from "./bulk.tsx";
import { FilterBar } from "./filter_bar.tsx";
import {
  askOf,
  countFilters,
  filterNames,
  matcherOf,
  nextSort,
  noFilters,
  selectorFilter,
  sortOf,
} from "./filters.ts";
import { GridHead, RunRow, UnknownRow } from "./grid.tsx";
import { RunList } from "./run_list.ts";
import {
  addAll,
  countOf,
  isSelected,
  nothing,
  type Selection,
  selectorOf,
  toggle,
  without,
} from "./selection.ts";
import { useKeptFocus, useScroll } from "./scroll.ts";
import { windowOf } from "./window.ts";

const rowHeights = { wide: 32, narrow: 56 };
const headHeight = 32;

/** All runs: filtered by the address, however many there are. */
export default function Runs() {
  const { query } = place.value;
  const key = [...filterNames, "sort_field", "sort_direction"].map((name) => query.get(name) ?? "").join(
    "\n",
  );
  const { made, ask } = useMemo(() => {
    const ask = askOf(query, Date.now());
    const { field, isDescending } = sortOf(query);
    const made = new RunList({
      ask: (offset, limit) => get("/api/runs", { ...ask, offset, limit }),
      isMine: matcherOf(ask),
      isNewestFirst: field === "created_at" && isDescending,
    });
    return { made, ask };
  }, [key]);
  // What was shown stays until the first answer to another question.
  const before = useRef(made);
  made.version.value;
  const isKnown = made.total !== undefined || made.error !== undefined;
  const list = isKnown ? made : before.current;
  before.current = list;
  const [selection, select] = useState<Selection>(nothing);
  const [focused, setFocused] = useState(0);
  const anchor = useRef(0);
  const scroller = useRef<HTMLDivElement>(null);
  const { top, height, isNarrow } = useScroll(scroller, key);
  const rowHeight = isNarrow ? rowHeights.narrow : rowHeights.wide;
  const count = countOf(selection);

  useEffect(() => {
    select(nothing);
    setFocused(0);
    anchor.current = 0;
    const stop = onRuns((changes) => {
      const gone = new Set(changes?.flatMap((change) => "deleted" in change ? [change.deleted] : []));
      if (gone.size > 0) select((selection) => without(selection, gone));
      made.take(changes);
    });
    return () => {
      stop();
      made.close();
    };
  }, [made]);

  const { total } = list;
  const shown = windowOf({
    scrollTop: top,
    viewHeight: Math.max(rowHeight, height - (isNarrow ? 0 : headHeight)),
    rowHeight,
    total: total ?? 0,
  });
  useEffect(() => {
    if (!isKnown) return made.want(0, 1);
    made.isHeld = top > rowHeight / 2 || count > 0;
    if (!made.isHeld && made.arrived.value > 0) made.showArrived();
    made.want(shown.first, shown.last);
  });

  const focusedRun = list.rowAt(focused);
  const done = (): void => {
    select(nothing);
    list.refresh();
  };
  const onDelete = async (): Promise<void> => {
    if (count === 0) {
      if (focusedRun === undefined) return;
      list.markGone(new Set([focusedRun.id]));
      await single.delete(focusedRun, () => list.refresh());
      return list.refresh();
    }
    const selector: Selector = selectorOf(selection);
    if (selection.kind === "some") list.markGone(selection.ids);
    select(nothing);
    await deleteRuns(selector, () => list.refresh());
    list.refresh();
  };
  const onStop = (): void => {
    if (count > 0) void stopMany(selectorOf(selection)).then(done);
    else if (focusedRun !== undefined && focusedRun.status !== "ended") single.stop(focusedRun);
  };
  const onRerun = (): void => {
    if (count > 0) void rerunMany(selectorOf(selection)).then(done);
    else if (focusedRun !== undefined) single.rerun(focusedRun);
  };
  const selectAll = (): void =>
    select({
      kind: "all",
      except: new Set(),
      total: list.total ?? 0,
      filter: selectorFilter(ask, Date.now()),
    });
  const onSelect = async (index: number, { isRange }: { isRange: boolean }): Promise<void> => {
    const run = list.rowAt(index);
    if (run === undefined) return;
    if (!isRange) {
      anchor.current = index;
      return select((before) => toggle(before, run.id));
    }
    try {
      const ids = await list.idsBetween(anchor.current, index);
      select((before) => addAll(before, ids));
    } catch (error) {
      say(`Cannot select these runs: ${wordsOf(error)}`, { role: "bad" });
    }
  };
  const keys = useRef({ onDelete, onStop, onRerun, onSelect, focused });
  keys.current = { onDelete, onStop, onRerun, onSelect, focused };
  useEffect(() =>
    bindKeys([
      { keys: "x", text: "select the run", run: () => onKey("onSelect") },
      { keys: "#", text: "delete what is selected", run: () => onKey("onDelete") },
      { keys: "Delete", text: "the same", run: () => onKey("onDelete") },
      { keys: "r", text: "run again what is selected, or the row", run: () => onKey("onRerun") },
      { keys: "s", text: "stop what is selected, or the row", run: () => onKey("onStop") },
      { keys: "Escape", text: "select nothing", run: () => select(nothing) },
    ]), []);
  const onKey = (name: "onDelete" | "onStop" | "onRerun" | "onSelect"): void => {
    const now = keys.current;
    const isOnRow = document.activeElement?.closest(".runs-row") != null;
    if (name === "onSelect") {
      if (isOnRow) void now.onSelect(now.focused, { isRange: false });
    } else if (isOnRow || countRef.current > 0) void now[name]();
  };
  const countRef = useRef(count);
  countRef.current = count;

  useKeptFocus(scroller, focused);

  const rows = [];
  for (let index = shown.first; index < shown.last; index++) {
    const run = list.rowAt(index);
    if (run === undefined) rows.push(<UnknownRow key={`row ${index}`} index={index} />);
    else {
      rows.push(
        <RunRow
          key={run.id}
          index={index}
          run={run}
          isSelected={isSelected(selection, run.id)}
          isGone={list.gone.has(run.id)}
          isStop={index === Math.max(shown.seenFirst, Math.min(shown.seenLast - 1, focused))}
          isSeen={index >= shown.seenFirst - 1 && index <= shown.seenLast}
          onOpen={open}
          onSelect={onSelect}
          onFocus={setFocused}
        />,
      );
    }
  }
  return (
    <div class="runs">
      <Heading title="Runs">
        <span class="muted" role="status">
          {total === undefined
            ? ""
            : countFilters(query) > 0
            ? `${runsWords(total)} that match`
            : runsWords(total)}
        </span>
        <span class="fill" />
        {list.arrived.value === 0 ? null : (
          <button
            type="button"
            class="runs-arrived"
            onClick={() => {
              select(nothing);
              list.isHeld = false;
              list.showArrived();
              scroller.current?.scrollTo({ top: 0 });
            }}
          >
            ↑ {list.arrived.value.toLocaleString("en-US")} new {list.arrived.value === 1 ? "run" : "runs"}
          </button>
        )}
      </Heading>
      <FilterBar
        query={query}
        names={unitList.value.map(({ name }) => name)}
        zone={shownZone.value}
        onChange={(changes) => setQuery(changes)}
      />
      {total === undefined && list.error === undefined
        ? <Skeleton rows={12} />
        : list.error !== undefined && (total ?? 0) === 0
        ? <Failed what="the runs" why={list.error} onRetry={() => list.refresh()} />
        : total === 0
        ? <NoRuns isFiltered={countFilters(query) > 0} onClear={() => setQuery(noFilters)} />
        : (
          <div class="runs-scroller" data-scroller ref={scroller} tabIndex={-1}>
            <div
              role="grid"
              aria-label="Runs"
              aria-rowcount={(total ?? 0) + 1}
              aria-multiselectable="true"
            >
              <GridHead
                query={query}
                chosen={count === 0 ? "none" : count >= (total ?? 0) ? "all" : "some"}
                onSort={(field) => setQuery(nextSort(query, field))}
                onAll={() => count > 0 ? select(nothing) : selectAll()}
              />
              <div role="presentation" style={{ height: `${shown.height}px` }}>
                <div role="presentation" style={{ transform: `translateY(${shown.top}px)` }}>{rows}</div>
              </div>
            </div>
          </div>
        )}
      {list.error === undefined || (total ?? 0) === 0 ? null : (
        <p class="runs-error" role="alert">
          Cannot read these rows: {list.error}{" "}
          <button type="button" class="link" onClick={() => list.refresh()}>Try again</button>
        </p>
      )}
      {count === 0 ? null : (
        <BulkBar
          count={count}
          total={selection.kind === "all" && selection.except.size === 0 ? undefined : total}
          onAll={selectAll}
          onClear={() => select(nothing)}
          onDelete={() => void onDelete()}
          onStop={onStop}
          onRerun={onRerun}
        />
      )}
    </div>
  );
}

function open(run: Run): void {
  go(addressOf.run(run.id));
}

/** What stands in place of the rows where there are none. */
export function NoRuns({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (!isFiltered) {
    return (
      <Empty title="Nothing has run yet">
        <p>Each execution of a task or service becomes a row here, with its log.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No run matches these filters">
      <button type="button" onClick={onClear}>Clear filters</button>
    </Empty>
  );
}
