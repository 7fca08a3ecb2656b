import { breakOff, play } from "./stage.ts";
import { scenes } from "./scenes.ts";

/**
 * Plays the scenes that the arguments name, or all, and prints what came of each; exits 1 if anything was wrong.
 * TORTURE_SEED names the moments, as nearly as real time allows.
 */
const seed = Number(Deno.env.get("TORTURE_SEED") ?? crypto.getRandomValues(new Uint16Array(1))[0]);
const print = (line: string): void => void Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));

const unknown = Deno.args.filter((name) => !(name in scenes));
if (unknown.length > 0) {
  print(`no such scene: ${unknown.join(", ")}; there are ${Object.keys(scenes).join(", ")}`);
  Deno.exit(2);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, () => void breakOff().finally(() => Deno.exit(1)));
}
let complaints = 0;
for (const [name, scene] of Object.entries(scenes)) {
  if (Deno.args.length > 0 && !Deno.args.includes(name)) continue;
  complaints += (await play(name, scene, { seed, short: Deno.env.has("TORTURE_SHORT"), print })).length;
}
Deno.exit(complaints > 0 ? 1 : 0);
