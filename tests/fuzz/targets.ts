import { fuzzFramer } from "./framer.ts";
import { fuzzJournal } from "./journal.ts";
import { fuzzMask } from "./mask.ts";
import { fuzzRegex } from "./regex.ts";
import { fuzzTerminal } from "./terminal.ts";

/** What is fuzzed: each throws for a seed that shows a fault. */
export const targets: Readonly<Record<string, (seed: number) => void>> = {
  framer: fuzzFramer,
  journal: fuzzJournal,
  mask: fuzzMask,
  regex: fuzzRegex,
  terminal: fuzzTerminal,
};
