/** What may stand at the cursor: words with a few words about them, or what the shell itself knows. */
export type Reply =
  | { kind: "words"; words: readonly Candidate[] }
  | { kind: "files" }
  | { kind: "folders" };

/** One word that may stand there. */
export interface Candidate {
  word: string;
  about: string;
  /** More is to come behind it: no space after it. */
  isOpen?: boolean;
}

/** Shells that can be served. */
export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = typeof shells[number];

/**
 * A reply as the lines that the script of a shell reads: the kind first ("words", "open" where no space is to
 * follow, "files", "folders"), then a word a line, with a tab and what it is about where the shell shows that.
 * `cut` is how much of each word bash has already.
 */
export function replyLines(reply: Reply, shell: Shell, cut = 0): string[] {
  if (reply.kind !== "words") return [reply.kind];
  const isOpen = reply.words.some((one) => one.isOpen === true);
  return [
    isOpen ? "open" : "words",
    ...reply.words.map(({ word, about }) => {
      const clean = about.replaceAll(/[\t\n]/g, " ");
      if (shell === "bash") return word.slice(cut).replaceAll(/[^\w.\-:=/@%+,]/g, "\\$&");
      if (shell === "fish") return clean === "" ? word : `${word}\t${clean}`;
      const escaped = word.replaceAll("\\", "\\\\").replaceAll(":", "\\:");
      return clean === "" ? escaped : `${escaped}:${clean}`;
    }),
  ];
}
