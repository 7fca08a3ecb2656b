import { type Finding, play, type Script, scriptOf } from "./simulation.ts";

/** How often a script is played to make it shorter. */
const mostPlays = 150;

/** Plays a seed; a finding comes with all that is needed to understand it, made as short as it goes. */
export async function hunt(
  seed: number,
  { shrinks = true, keeps }: { shrinks?: boolean; keeps?: boolean | undefined } = {},
): Promise<string | undefined> {
  const script = scriptOf(seed, { keeps });
  const found = await play(script);
  if (found === undefined) return undefined;
  const short = shrinks ? await shrink(script, found) : { script, found };
  return report(seed, { found, short });
}

/** Leaves out moves, as long as something is still wrong. */
async function shrink(script: Script, found: Finding): Promise<{ script: Script; found: Finding }> {
  let best = { script: { ...script, moves: script.moves.slice(0, found.step + 1) }, found };
  let plays = 0;
  for (let size = best.script.moves.length >> 1; size >= 1; size >>= 1) {
    for (let at = 0; at < best.script.moves.length && plays < mostPlays;) {
      const moves = best.script.moves.toSpliced(at, size);
      plays++;
      const next = { ...script, moves };
      const again = await play(next);
      if (again === undefined) at += size;
      else best = { script: { ...next, moves: moves.slice(0, again.step + 1) }, found: again };
    }
  }
  return best;
}

function report(
  seed: number,
  { found, short }: { found: Finding; short: { script: Script; found: Finding } },
): string {
  const { now, config, moves, keeps } = short.script;
  return [
    `seed ${seed}, move ${found.step}: ${found.message}`,
    `in short, after ${moves.length} moves from ${new Date(now).toISOString()}: ${short.found.message}`,
    `${keeps ? "runs outlive the daemon\n" : ""}daemon ${JSON.stringify(config.daemon)}`,
    ...config.units.map((unit) =>
      `unit ${JSON.stringify(unit, (key, value) => usual.has(key) ? undefined : value)}`
    ),
    ...moves.map((move, i) => `${i === short.found.step ? "> " : "  "}${JSON.stringify(move)}`),
  ].join("\n");
}

/** Keys of a unit that tell nothing here. */
const usual = new Set([
  "description",
  "group",
  "failures",
  "workingDir",
  "shell",
  "envBase",
  "env",
  "secrets",
  "hookTokens",
  "notify",
  "limits",
  "place",
  "params",
  "expectEvery",
  "warnAfter",
]);
