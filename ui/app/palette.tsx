/// <reference lib="dom" />
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Word } from "../../src/core/words.ts";
import { theme } from "../data/settings.ts";
import type { Run } from "../data/runs.ts";
import { unitList } from "../data/units.ts";
import { get } from "../net/api.ts";
import { State, wordOfRun, wordOfUnit } from "../parts/mark.tsx";
import { actionsOf, doToUnit, reload, runNow } from "./actions.ts";
import { Dialog } from "./dialog.tsx";
import { addressOf, go } from "./router.tsx";

interface Entry {
  id: string;
  text: string;
  hint: string;
  word?: Word;
  run: () => void;
}

const most = 12;

const places: Entry[] = [
  ["Overview", "/"],
  ["Units", "/units"],
  ["Runs", "/runs"],
  ["Timeline", "/timeline"],
  ["Notifications", "/notifications"],
  ["Search logs", "/search"],
  ["System", "/system"],
  ["Daemon log", "/system/log"],
].map(([text, address]) => ({ id: address!, text: text!, hint: "go to", run: () => go(address!) }));

/** Everything that the palette can find without asking the daemon. */
function entries(): Entry[] {
  const ofUnits = unitList.value.flatMap((unit): Entry[] => {
    const { name } = unit;
    const verbs = actionsOf(unit).map((action): Entry => ({
      id: `${action} ${name}`,
      text: `${action} ${name}`,
      hint: "action",
      run: () => void doToUnit(action, name),
    }));
    const run: Entry[] = unit.kind === "service" ? [] : [{
      id: `run ${name}`,
      text: `run ${name}`,
      hint: "action",
      run: () => (unit.parameters?.length ?? 0) > 0 ? go(`${addressOf.unit(name)}?run=1`) : void runNow(name),
    }];
    return [
      {
        id: `unit ${name}`,
        text: name,
        hint: unit.kind,
        word: wordOfUnit(unit),
        run: () => go(addressOf.unit(name)),
      },
      ...run,
      ...verbs,
    ];
  });
  return [
    ...places,
    ...ofUnits,
    { id: "reload", text: "reload the configuration", hint: "action", run: () => void reload() },
    ...(["system", "light", "dark"] as const).map((name): Entry => ({
      id: `theme ${name}`,
      text: `theme: ${name}`,
      hint: "setting",
      run: () => void (theme.value = name),
    })),
  ];
}

/** How well a text fits what was typed, word by word; the lower the better, undefined when it doesn't. */
function rank(text: string, words: readonly string[]): number | undefined {
  const lower = text.toLowerCase();
  let sum = lower.length / 100;
  for (const word of words) {
    const at = lower.indexOf(word);
    if (at < 0) return undefined;
    sum += at === 0 ? 0 : /[\s._:-]/.test(lower[at - 1]!) ? 1 : 3;
  }
  return sum;
}

/** Finds units, runs and actions by a few letters. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const [runs, setRuns] = useState<readonly Run[]>([]);
  const list = useRef<HTMLUListElement>(null);
  const all = useMemo(entries, [unitList.value]);
  useEffect(() => {
    if (text.trim().length < 2) return setRuns([]);
    const asked = new AbortController();
    const timer = setTimeout(() => {
      get("/api/runs", { search: text.trim(), limit: 5 }, asked.signal)
        .then(({ runs }) => setRuns(runs ?? []), () => {});
    }, 150);
    return () => {
      clearTimeout(timer);
      asked.abort();
    };
  }, [text]);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = all
    .map((entry) => ({ entry, value: rank(entry.text, words) }))
    .filter((one): one is { entry: Entry; value: number } => one.value !== undefined)
    .sort((a, b) => words.length === 0 ? 0 : a.value - b.value)
    .slice(0, most).map(({ entry }) => entry);
  const ofRuns = runs.map((run): Entry => ({
    id: run.id,
    text: `${run.task_name} ${run.id}`,
    hint: "run",
    word: wordOfRun(run),
    run: () => go(addressOf.run(run.id)),
  }));
  const shown = [...found, ...ofRuns];
  const current = Math.min(at, shown.length - 1);
  useEffect(() => {
    list.current?.children[current]?.scrollIntoView({ block: "nearest" });
  }, [current]);
  const choose = (entry: Entry | undefined): void => {
    if (entry === undefined) return;
    onClose();
    entry.run();
  };
  return (
    <Dialog title="Find" onClose={onClose} class="palette" isTitleHidden>
      <input
        type="text"
        role="combobox"
        autofocus
        aria-label="Find a unit, a run, an action"
        aria-expanded="true"
        aria-controls="found"
        aria-activedescendant={shown[current] === undefined ? undefined : `found-${current}`}
        placeholder="Find a unit, a run, an action"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
          if (step !== 0) {
            event.preventDefault();
            setAt((current + step + shown.length) % Math.max(1, shown.length));
          } else if (event.key === "Enter") choose(shown[current]);
        }}
      />
      <ul id="found" role="listbox" aria-label="Found" ref={list}>
        {shown.map((entry, i) => (
          <li
            key={entry.id}
            id={`found-${i}`}
            role="option"
            aria-selected={i === current}
            onPointerMove={() => setAt(i)}
            onClick={() => choose(entry)}
          >
            {entry.word === undefined ? null : <State word={entry.word} isMarkOnly />}
            <span class="text">{entry.text}</span>
            <span class="muted">{entry.hint}</span>
          </li>
        ))}
      </ul>
      {shown.length === 0 ? <p class="muted nothing">Nothing is called that.</p> : null}
    </Dialog>
  );
}
