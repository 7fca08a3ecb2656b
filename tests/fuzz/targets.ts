import { fuzzTerminal } from "./terminal.ts";

/** What is fuzzed: each throws for a seed that shows a fault. */
export const targets: Readonly<Record<string, (seed: number) => void>> = {
  terminal: fuzzTerminal,
};
