import { fuzzFramer } from "./framer.ts";
import { fuzzMask } from "./mask.ts";
import { fuzzRegex } from "./regex.ts";
import { fuzzTerminal } from "./terminal.ts";

/** What is fuzzed: each throws for a seed that shows a fault. */
export const targets: Readonly<Record<string, (seed: number) => void>> = {
  framer: fuzzFramer,
  mask: fuzzMask,
  regex: fuzzRegex,
  terminal: fuzzTerminal,
};
