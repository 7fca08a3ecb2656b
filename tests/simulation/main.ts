import { hunt } from "./hunt.ts";

/**
 * Plays the seeds that SIMULATION_SEEDS names ("1000-3000"), and prints what is wrong; exits 1 if anything is. With
 * SIMULATION_KEEPS "yes" or "no" it is not for the seed to say whether runs outlive the daemon.
 */
const [from = 1, to = from] = (Deno.env.get("SIMULATION_SEEDS") ?? "1-1000").split("-").map(Number);
const shrinks = Deno.env.get("SIMULATION_SHRINK") !== "no";
const asked = Deno.env.get("SIMULATION_KEEPS");
const keeps = asked === undefined ? undefined : asked === "yes";
const most = Number(Deno.env.get("SIMULATION_MOST") ?? 10);
const print = (text: string): void => void Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));

const began = performance.now();
let findings = 0;
let played = 0;
for (let seed = from; seed <= to && findings < most; seed++) {
  played++;
  const report = await hunt(seed, { shrinks, keeps });
  if (report === undefined) continue;
  findings++;
  print(`${report}\n`);
}
print(
  `${played} seeds in ${Math.round((performance.now() - began) / 100) / 10} s, ${findings} with findings`,
);
Deno.exit(findings > 0 ? 1 : 0);
