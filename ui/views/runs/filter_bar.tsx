/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { snakeTriggers } from "../../../src/core/run_words.ts";
import { markOf } from "../../../src/core/words.ts";
import { fieldOf, timeOfField } from "../timeline/wall_clock.ts";
import { chips, chipState, countFilters, noFilters, ranges, sortOf, toggleChip } from "./filters.ts";

interface FilterBarProps {
  query: URLSearchParams;
  /** Names for the field of the unit. */
  names: readonly string[];
  zone: string;
  /** Changes parts of the query. */
  onChange: (changes: Readonly<Record<string, string | undefined>>) => void;
}

/** Between the last letter and the request, ms. */
const typing = 200;
const columns = [
  ["", "newest first"],
  ["created_at asc", "oldest first"],
  ["task_name asc", "unit"],
  ["status asc", "state"],
  ["duration desc", "longest first"],
  ["exit_code desc", "exit code"],
] as const;

/** What narrows the list of runs; all of it is in the address. */
export function FilterBar({ query, names, zone, onChange }: FilterBarProps) {
  const [isOpen, setOpen] = useState(false);
  const set = countFilters(query);
  const { field, isDescending } = sortOf(query);
  const sort = query.has("sort_field") ? `${field} ${isDescending ? "desc" : "asc"}` : "";
  const text = (name: string): string => query.get(name) ?? "";
  const isCustom = text("created_after") !== "" || text("created_before") !== "";
  return (
    <search class={`runs-filters${isOpen ? " open" : ""}`} aria-label="Filters">
      <div class="runs-bar">
        <Field
          label="Search unit or id"
          type="search"
          value={text("search")}
          isFilter
          onChange={(value) => onChange({ search: value })}
        />
        <button
          type="button"
          class="runs-more-button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          Filters{set > 0 ? ` (${set})` : ""}
        </button>
        <div class="runs-more">
          <Field
            label="Unit"
            list="runs-units"
            value={text("task_name")}
            onChange={(value) => onChange({ task_name: value })}
          />
          <datalist id="runs-units">{names.map((name) => <option key={name} value={name} />)}</datalist>
          <TimeRange query={query} isCustom={isCustom} zone={zone} onChange={onChange} />
          <select
            aria-label="Trigger"
            value={text("triggered_by")}
            onChange={(event) => onChange({ triggered_by: event.currentTarget.value })}
          >
            <option value="">any trigger</option>
            {snakeTriggers.map((name) => <option key={name} value={name}>{name}</option>)}
          </select>
          <span class="runs-codes">
            <Field
              label="Exit code from"
              placeholder="code from"
              type="number"
              value={text("exit_code_min")}
              onChange={(value) => onChange({ exit_code_min: value })}
            />
            <Field
              label="Exit code to"
              placeholder="to"
              type="number"
              value={text("exit_code_max")}
              onChange={(value) => onChange({ exit_code_max: value })}
            />
          </span>
          <button
            type="button"
            aria-pressed={text("retries_only") !== ""}
            onClick={() => onChange({ retries_only: text("retries_only") === "" ? "true" : undefined })}
          >
            Retries only
          </button>
          <select
            class="runs-sort"
            aria-label="Sort"
            value={sort}
            onChange={(event) => {
              const [field, direction] = event.currentTarget.value.split(" ");
              onChange({ sort_field: field, sort_direction: direction });
            }}
          >
            {columns.map(([value, label]) => <option key={value} value={value}>{label}</option>)}
          </select>
        </div>
      </div>
      <div class="chips" role="group" aria-label="States">
        {chips.map((chip) => (
          <button
            type="button"
            key={chip.label}
            aria-pressed={chipState(chip, query.get("status"))}
            onClick={() => onChange({ status: toggleChip(chip, query.get("status")) })}
          >
            <span class={chip.role} aria-hidden="true">{markOf(chip.mark)}</span>
            {chip.label}
          </button>
        ))}
        {set === 0
          ? null
          : <button type="button" class="link" onClick={() => onChange(noFilters)}>Clear all</button>}
      </div>
    </search>
  );
}

function TimeRange(
  { query, isCustom, zone, onChange }: Omit<FilterBarProps, "names"> & { isCustom: boolean },
) {
  const [isChoosing, choose] = useState(false);
  const shown = isCustom || isChoosing ? "custom" : query.get("range") ?? "";
  const both = { created_after: undefined, created_before: undefined };
  return (
    <>
      <select
        aria-label="Time"
        value={shown}
        onChange={(event) => {
          const { value } = event.currentTarget;
          choose(value === "custom");
          onChange(value === "custom" ? { range: undefined } : { ...both, range: value });
        }}
      >
        <option value="">any time</option>
        {Object.keys(ranges).map((name) => <option key={name} value={name}>last {words[name]}</option>)}
        <option value="custom">from … to …</option>
      </select>
      {shown !== "custom" ? null : (
        <span class="runs-times">
          {([["created_after", "Created from"], ["created_before", "Created up to"]] as const).map((
            [name, label],
          ) => (
            <input
              key={name}
              type="datetime-local"
              aria-label={`${label}, ${zone}`}
              title={`${label}, ${zone}`}
              value={fieldOf(query.get(name), zone)}
              onChange={(event) => onChange({ [name]: timeOfField(event.currentTarget.value, zone) })}
            />
          ))}
        </span>
      )}
    </>
  );
}

const words: Record<string, string> = { "1h": "hour", "24h": "24 hours", "7d": "7 days" };

interface FieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  type?: "text" | "search" | "number";
  list?: string;
  isFilter?: boolean;
}

/** A field that tells what is in it once nobody types any more. */
function Field({ label, value, onChange, placeholder = label, type = "text", list, isFilter }: FieldProps) {
  const [typed, setTyped] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const tell = (text: string): void => {
    clearTimeout(timer.current);
    setTyped(undefined);
    if (text !== value) onChange(text);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <input
      type={type}
      aria-label={label}
      placeholder={placeholder}
      value={typed ?? value}
      list={list}
      autocomplete="off"
      spellcheck={false}
      data-filter={isFilter ? "" : undefined}
      onInput={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        clearTimeout(timer.current);
        timer.current = setTimeout(tell, typing, text);
      }}
      onChange={(event) => tell(event.currentTarget.value)}
    />
  );
}
