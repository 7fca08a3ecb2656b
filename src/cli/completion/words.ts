/**
 * The words of a command line that is being typed, as a POSIX shell would take them apart; the last one is what
 * the cursor stands at, and empty after a space. What is quoted may lack its end.
 */
export function wordsOf(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    if (quote !== "") {
      if (character === quote) quote = "";
      else if (character === "\\" && quote === '"') word += line[++at] ?? "";
      else word += character;
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word ??= "";
      if (character === "'" || character === '"') quote = character;
      else if (character === "\\") word += line[++at] ?? "";
      else word += character;
    }
  }
  return [...words, word ?? ""];
}

/**
 * How much of a word bash takes for an earlier one: it replaces only what stands behind the last of its break
 * characters, unless the word is quoted.
 */
export function brokenOff(word: string, breaks: string): number {
  let length = 0;
  for (let at = 0; at < word.length; at++) {
    if ("=:".includes(word[at]!) && breaks.includes(word[at]!)) length = at + 1;
  }
  return length;
}
