/// <reference lib="dom" />
import type { Signal } from "@preact/signals";
import { daemon } from "../../data/daemon.ts";
import { logTimes, logWrap, theme, zone } from "../../data/settings.ts";

/** What this browser remembers of how the page is to look. */
export function BrowserSettings() {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <section class="panel" aria-labelledby="system-settings">
      <h2 id="system-settings">This browser</h2>
      <div class="body system-settings">
        <Choice
          label="Theme"
          choice={theme}
          words={{ system: "as the system has it", light: "light", dark: "dark" }}
        />
        <Choice
          label="Times in"
          choice={zone}
          words={{
            daemon: `the daemon's zone (${daemon.value?.resolved_timezone ?? "…"})`,
            browser: `this browser's zone (${own})`,
          }}
        />
        <Choice label="Long lines of logs" choice={logWrap} words={{ on: "wrapped", off: "cut off" }} />
        <Choice label="Times in logs" choice={logTimes} words={{ off: "hidden", on: "shown" }} />
      </div>
    </section>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  choice: Signal<T>;
  words: Readonly<Record<T, string>>;
}

function Choice<T extends string>({ label, choice, words }: ChoiceProps<T>) {
  return (
    <label>
      <span>{label}</span>
      <select value={choice.value} onChange={(event) => choice.value = event.currentTarget.value as T}>
        {(Object.keys(words) as T[]).map((value) => <option key={value} value={value}>{words[value]}
        </option>)}
      </select>
    </label>
  );
}
