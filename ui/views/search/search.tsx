/// <reference lib="dom" />
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { place, setQuery } from "../../app/router.tsx";
import { Heading } from "../../parts/heading.tsx";
import { unitList } from "../../data/units.ts";
import { Results } from "./results.tsx";
import { type Asked, groupHits, useRuns, useSearch } from "./search_data.ts";

/** While somebody types nothing is searched, ms. */
const typing = 250;

/** What an address asks for. */
export function askedBy(query: URLSearchParams): Asked {
  return {
    text: query.get("q") ?? "",
    isRegex: query.get("regex") === "true",
    isCaseSensitive: query.get("case") === "true",
    task: query.get("task") ?? "",
  };
}

/** Searches the logs of all runs. */
export default function Search() {
  const { query } = place.value;
  const asked = useMemo(() => askedBy(query), [query]);
  const { found, goOn, stop } = useSearch(asked);
  const groups = useMemo(() => groupHits(found.hits), [found.hits]);
  const runs = useRuns(groups.map(({ runId }) => runId));
  return (
    <div class="search-view">
      <Heading title="Search logs" />
      <SearchForm asked={asked} units={unitList.value.map(({ name }) => name)} error={found.error} />
      <Results asked={asked} found={found} groups={groups} runs={runs} onMore={goOn} onStop={stop} />
    </div>
  );
}

interface FormProps {
  asked: Asked;
  units: readonly string[];
  error: string;
}

/** What to search for; it is kept in the address. */
export function SearchForm({ asked, units, error }: FormProps) {
  const [text, setText] = useState(asked.text);
  const sent = useRef(asked.text);
  const send = (): void => {
    sent.current = text;
    setQuery({ q: text });
  };
  useEffect(() => {
    // An address of somebody else's making; what came from here may be behind what is being typed.
    if (asked.text !== sent.current) setText(sent.current = asked.text);
  }, [asked.text]);
  useEffect(() => {
    if (text === sent.current) return;
    const timer = setTimeout(send, typing);
    return () => clearTimeout(timer);
  }, [text]);
  const known = asked.task === "" || units.includes(asked.task) ? units : [asked.task, ...units];
  return (
    <form
      class="search-form"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <input
        type="text"
        data-filter
        autofocus
        class="search-field"
        aria-label="Search for"
        aria-invalid={error !== ""}
        aria-describedby="search-error"
        placeholder={asked.isRegex ? "A regular expression (RE2)" : "A word or a part of a line"}
        spellcheck={false}
        autocomplete="off"
        maxLength={1000}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <select
        aria-label="In which unit"
        value={asked.task}
        onChange={(event) => setQuery({ task: event.currentTarget.value })}
      >
        <option value="">All units</option>
        {known.map((name) => <option key={name} value={name}>{name}</option>)}
      </select>
      <button
        type="button"
        aria-pressed={asked.isCaseSensitive}
        onClick={() => setQuery({ case: asked.isCaseSensitive ? undefined : "true" })}
      >
        Case matters
      </button>
      <button
        type="button"
        aria-pressed={asked.isRegex}
        onClick={() => setQuery({ regex: asked.isRegex ? undefined : "true" })}
      >
        Regular expression
      </button>
      <p id="search-error" class="bad search-error" role="status">{error}</p>
    </form>
  );
}
