/// <reference lib="dom" />
import { useState } from "preact/hooks";
import type { Query } from "./hits.ts";
import { hashOfTyped } from "./line_hash.ts";
import { mostHits } from "./log_search.ts";
import { grouped } from "./log_words.ts";

/** How a search stands. */
export interface SearchState {
  query: Query;
  hits: number;
  /** Which hit is shown, from 0; -1 for none. */
  at: number;
  isSearching: boolean;
  isCut: boolean;
  error: string;
}

interface BarProps {
  search: SearchState;
  isFollowing: boolean;
  /** No more lines will come. */
  isFinal: boolean;
  isWrapped: boolean;
  hasTimes: boolean;
  isFull: boolean;
  /** So many lines are chosen. */
  selected: number;
  download: string;
  onFind: (query: Query) => void;
  /** Goes to the lines of an address: `#L120`. */
  onLines: (hash: string) => void;
  onStep: (step: 1 | -1) => void;
  onFollow: () => void;
  onWrap: () => void;
  onTimes: () => void;
  onCopy: () => void;
  onFull: () => void;
}

/** What can be done with a log. */
export function LogBar(props: BarProps) {
  const { isFollowing, isFinal, isWrapped, hasTimes, isFull, selected, download } = props;
  const follow = isFinal ? "End" : "Follow";
  return (
    <div class="log-bar-row" role="group" aria-label="Log">
      <SearchField {...props} />
      <div class="log-tools">
        <button
          type="button"
          aria-pressed={isFinal ? undefined : isFollowing}
          title={isFinal ? "To the last line (f)" : "Keep the newest line in view (f)"}
          onClick={props.onFollow}
        >
          {follow}
        </button>
        <button type="button" aria-pressed={isWrapped} title="Break long lines (w)" onClick={props.onWrap}>
          Wrap
        </button>
        <button
          type="button"
          aria-pressed={hasTimes}
          title="When each line was written (t)"
          onClick={props.onTimes}
        >
          Times
        </button>
        <button
          type="button"
          title={selected > 0 ? "Copy the lines that are marked" : "Copy the log as plain text"}
          onClick={props.onCopy}
        >
          {selected > 0 ? `Copy ${selected === 1 ? "line" : `${selected} lines`}` : "Copy"}
        </button>
        <a class="button" href={download} download title="All that the process wrote, byte for byte">
          Download
        </a>
        <button
          type="button"
          class="icon"
          aria-pressed={isFull}
          aria-label="Full screen"
          title="Full screen (F)"
          onClick={props.onFull}
        >
          <svg class="i" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <path
              d={isFull ? "M6 2v4H2M10 2v4h4M6 14v-4H2M10 14v-4h4" : "M2 6V2h4M14 6V2h-4M2 10v4h4M14 10v4h-4"}
            />
          </svg>
        </button>
      </div>
    </div>
  );
}

function SearchField({ search, onFind, onStep, onLines }: BarProps) {
  const { query, error } = search;
  const [text, setText] = useState(query.text);
  const change = (changes: Partial<Query>): void => onFind({ ...query, text, ...changes });
  return (
    <div class="log-search" role="search" aria-label="Search in this log">
      <input
        type="text"
        data-filter
        aria-label="Search in this log"
        aria-invalid={error !== ""}
        aria-describedby="log-found"
        placeholder="Search, or :120 for a line"
        title="/ gets here, Enter goes on, :120 goes to a line, :120-140 marks some"
        spellcheck={false}
        autocomplete="off"
        value={text}
        onInput={({ currentTarget: { value } }) => {
          setText(value);
          if (!value.startsWith(":")) onFind({ ...query, text: value });
        }}
        onKeyDown={(event) => {
          const lines = hashOfTyped(text);
          if (event.key === "Enter") {
            event.preventDefault();
            if (lines === undefined) onStep(event.shiftKey ? -1 : 1);
            else onLines(lines);
          } else if (event.key === "Escape") {
            event.preventDefault();
            if (text === "") event.currentTarget.blur();
            setText("");
            onFind({ ...query, text: "" });
          }
        }}
      />
      <button
        type="button"
        class="icon"
        aria-pressed={query.isCaseSensitive}
        aria-label="Case matters"
        title="Case matters"
        onClick={() => change({ isCaseSensitive: !query.isCaseSensitive })}
      >
        Aa
      </button>
      <button
        type="button"
        class="icon"
        aria-pressed={query.isRegex}
        aria-label="Regular expression"
        title="Regular expression (RE2)"
        onClick={() => change({ isRegex: !query.isRegex })}
      >
        .*
      </button>
      <span id="log-found" class={error === "" ? "log-found" : "log-found bad"} role="status">
        {foundWords(search)}
      </span>
      {search.hits === 0 ? null : (
        <>
          <button
            type="button"
            class="icon"
            aria-label="Hit before"
            title="Hit before (N)"
            onClick={() => onStep(-1)}
          >
            ↑
          </button>
          <button
            type="button"
            class="icon"
            aria-label="Next hit"
            title="Next hit (n)"
            onClick={() => onStep(1)}
          >
            ↓
          </button>
        </>
      )}
    </div>
  );
}

/** What came of a search so far, in a few words. */
export function foundWords({ query, hits, at, isSearching, isCut, error }: SearchState): string {
  if (query.text === "") return "";
  if (error !== "") return error;
  const count = isCut ? `${grouped(mostHits)}+` : grouped(hits);
  const more = isSearching ? " …" : "";
  if (hits === 0) return isSearching ? "searching …" : "nothing found";
  return (at < 0 ? (hits === 1 ? "1 line" : `${count} lines`) : `${at + 1} of ${count}`) + more;
}
