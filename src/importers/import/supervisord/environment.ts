/** Reads `A="1",B=two` as supervisord does, by the rules of Python's shlex; or says what is wrong with it. */
export function readEnvironment(text: string): { variables: Map<string, string> } | { fault: string } {
  const tokens = tokensOf(text);
  if (tokens === undefined) return { fault: "a quote in it is never closed" };
  const variables = new Map<string, string>();
  // Between two of them stands a comma, or whatever else there is.
  for (let at = 0; at < tokens.length; at += 4) {
    const [name = "", sign, value] = tokens.slice(at, at + 3);
    if (sign !== "=" || value === undefined) {
      return { fault: `NAME=value pairs with commas between them are due, at ${JSON.stringify(name)}` };
    }
    variables.set(name, value.replaceAll(/^['"]+|['"]+$/g, ""));
  }
  return { variables };
}

function tokensOf(text: string): string[] | undefined {
  const tokens: string[] = [];
  let at = 0;
  while (at < text.length) {
    const char = text[at] ?? "";
    if (/\s/.test(char)) at++;
    else if (char === "#") at = endOfLine(text, at);
    else if (char === '"' || char === "'") {
      const end = text.indexOf(char, at + 1);
      if (end < 0) return undefined;
      tokens.push(text.slice(at, end + 1));
      at = end + 1;
    } else if (!isWord(char)) {
      tokens.push(char);
      at++;
    } else {
      let token = "";
      for (; at < text.length; at++) {
        const next = text[at] ?? "";
        if (next === "#") at = endOfLine(text, at);
        else if (isWord(next) || next === '"' || next === "'") token += next;
        else break;
      }
      tokens.push(token);
    }
  }
  return tokens;
}

function isWord(char: string): boolean {
  // The marks of what only a run knows stand between NULs, which no file holds.
  return /[A-Za-z0-9_/.+\-():\0]/.test(char);
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}
