/** Reads unit files as systemd.service(5), systemd.syntax(7) and systemd.exec(5) describe them, no more. */

/** The values of a key, in order. */
export function valuesIn(text: string, key: string): string[] {
  return text.split("\n").filter((line) => line.startsWith(`${key}=`)).map((line) =>
    line.slice(key.length + 1)
  );
}

/** The words that a program is started with: quotes, then specifiers, then variables, of which there are none. */
export function wordsOf(value: string): string[] {
  return split(value).map(specifiers).map((word) =>
    word.replace(/\$(\$|.?)/g, (all, next) => {
      if (next !== "$") throw new RangeError(`a variable: ${all} in ${word}`);
      return "$";
    })
  );
}

/** Name and value of an `Environment=`, in which a dollar means nothing. */
export function assignmentOf(value: string): [name: string, value: string] {
  const [word = "", ...more] = split(value).map(specifiers);
  if (more.length > 0) throw new RangeError(`more than one: ${value}`);
  return [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)];
}

function specifiers(word: string): string {
  return word.replace(/%(.?)/g, (all, next) => {
    if (next !== "%") throw new RangeError(`a specifier: ${all} in ${word}`);
    return "%";
  });
}

const escapes: Record<string, string> = { n: "\n", t: "\t", r: "\r", s: " ", "\\": "\\", '"': '"', "'": "'" };

function split(value: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let at = 0; at < value.length; at++) {
    const character = value[at]!;
    if (character === "\\") {
      const next = value[++at]!;
      if (next === "x") {
        word = (word ?? "") + String.fromCharCode(parseInt(value.slice(at + 1, at + 3), 16));
        at += 2;
      } else {
        const meant = escapes[next];
        if (meant === undefined) throw new RangeError(`an unknown escape: \\${next}`);
        word = (word ?? "") + meant;
      }
    } else if (character === quote) quote = "";
    else if (quote === "" && (character === '"' || character === "'") && word === undefined) {
      quote = character;
      word = "";
    } else if (quote === "" && character === " ") {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + character;
  }
  if (quote !== "") throw new RangeError(`an open quote: ${value}`);
  if (word !== undefined) words.push(word);
  return words;
}
