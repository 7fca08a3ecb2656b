/**
 * `deno task fuzz [TARGET...]`: plays the seeds that FUZZ_SEEDS names ("1-100000"), or seeds for FUZZ_MINUTES, and
 * prints what is wrong; exits 1 if anything is. A seed that takes longer than FUZZ_DEADLINE ms (60000) has no end.
 */
import { fuzz } from "./fuzz.ts";
import { targets } from "./targets.ts";

const minutes = Number(Deno.env.get("FUZZ_MINUTES") ?? 0);
const [from = 1, to = from] = (Deno.env.get("FUZZ_SEEDS") ?? (minutes > 0 ? "1-1000000000" : "1-2000"))
  .split("-").map(Number);
const deadline = Number(Deno.env.get("FUZZ_DEADLINE") ?? 60_000);
const wanted = Deno.args.length > 0 ? Deno.args : Object.keys(targets);
const print = (text: string): void => void Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
let isWrong = false;
for (const target of wanted) {
  if (!(target in targets)) {
    print(`there is no "${target}" to be fuzzed, but ${Object.keys(targets).join(", ")}`);
    Deno.exit(2);
  }
  const end = minutes > 0 ? performance.now() + minutes * 60_000 / wanted.length : Infinity;
  const { played, findings } = await fuzz(target, {
    from,
    to,
    most: Number(Deno.env.get("FUZZ_MOST") ?? 5),
    deadline,
    isOver: () => performance.now() > end,
  });
  for (const { seed, what } of findings) print(`${target}, seed ${seed}: ${what}\n`);
  print(`${target}: ${played} seeds, ${findings.length} with findings`);
  isWrong ||= findings.length > 0;
}
Deno.exit(isWrong ? 1 : 0);
