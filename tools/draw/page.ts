import type { Row } from "./rows.ts";

/** The page, formatted as `deno fmt` leaves it. */
export function page({ run, instance }: { run: readonly Row[]; instance: readonly Row[] }): string {
  return `# The two machines

Made by \`deno task draw\` from the step functions themselves: each event was put to each state that can be
reached, and what was seen is what stands here. What is not listed changes nothing; of several rows for one
event the first whose condition holds is what happens. \`?\` stands behind effects that depend on the unit's
definition, or on what came before. \`svc debug\` and \`--log-level trace\` use the same names.

## A run

\`src/core/run_machine.ts\`. It begins as \`running\`, when its process has been started, with the timer \`timeout\`
where the unit has one. \`stopping\`: the process was asked to end, and the timer is its grace. \`leaving\`: it
did, and the rest of the run has what is left of the grace. \`killing\`: it was killed. \`closing\`: it has ended,
its pipes have not. \`sweeping\`: what it left behind is being looked at, and killed. What a run is to end for
(\`want\`) is kept apart from its phase.

${diagram(run, { begin: "running", end: "ended" })}

${table(run)}

## An instance of a service

\`src/core/service_machine.ts\`. \`waiting\`: for a service that this one depends on. \`starting\`: the process
runs, not yet healthy. \`stopping\`: it is being ended. \`ending\`: it has ended, its end is not stored yet, and
what comes next waits for that. \`backing_off\`: between two lives. \`done\`: the restart policy leaves it so.
\`fatal\`: it failed to start too often. Whether it is wanted up or down (\`want\`) is kept apart from its phase,
and \`again\` is a start that waits for the end of a stop.

${diagram(instance, { begin: "stopped" })}

${table(instance)}
`;
}

/** The ways from phase to phase, with the events that lead there. */
function diagram(rows: readonly Row[], { begin, end }: { begin: string; end?: string }): string {
  const ways = new Map<string, Set<string>>();
  for (const { phase, event, after } of rows) {
    if (phase === after) continue;
    const way = `${phase} --> ${after}`;
    ways.set(way, (ways.get(way) ?? new Set()).add(event.replace(/: .*/, "")));
  }
  const arrows = Array.from(ways, ([way, events]) => `  ${way}: ${[...events].join(", ")}`);
  const last = end === undefined ? [] : [`  ${end} --> [*]`];
  return ["```mermaid", "stateDiagram-v2", `  [*] --> ${begin}`, ...arrows, ...last, "```"].join("\n");
}

function table(rows: readonly Row[]): string {
  const cells = rows.map(({ phase, event, when, after, effects }) => [
    phase,
    when === "" ? event : `${event} (${when})`,
    after === phase ? "the same" : after,
    effects,
  ]);
  const head = ["phase", "event", "then", "effects"];
  const widths = head.map((title, i) =>
    Math.max(...[head, ...cells].map((row) => row[i]!.length), title.length)
  );
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...cells.map(line)].join("\n");
}
