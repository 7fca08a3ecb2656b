import type { Role } from "../../../src/core/words.ts";

const legend: ReadonlyArray<[Role, string]> = [
  ["good", "ok"],
  ["bad", "failed"],
  ["warn", "missed"],
  ["muted", "stopped, skipped"],
  ["accent", "running"],
];

/** What bars look like. */
export function Legend() {
  return (
    <ul class="timeline-legend" aria-label="Legend">
      {legend.map(([role, text]) => (
        <li key={role}>
          <svg width="22" height="12" aria-hidden="true">
            <g class={role}>
              <path d={role === "accent" ? "M0.5 1h15l5 5l-5 5H0.5z" : "M0.5 1h20v10H0.5z"} />
              {role === "bad" || role === "warn"
                ? <path class="over" d="M0.5 1h20v10H0.5z" fill={`url(#timeline-${role})`} />
                : null}
            </g>
          </svg>
          {text}
        </li>
      ))}
      <li>
        <svg width="12" height="12" aria-hidden="true">
          <circle class="ahead" cx="6" cy="6" r="3.5" />
        </svg>
        will run
      </li>
    </ul>
  );
}
