/** How deep and how large a JSON text may be. */
export interface JsonBounds {
  /** Objects and arrays inside of each other. */
  depth: number;
  /** Members of all objects. */
  members: number;
  /** Values behind commas, members included. */
  values: number;
}

const code = (character: string): number => character.charCodeAt(0);
const [quote, backslash, comma, colon] = [code('"'), code("\\"), code(","), code(":")];
const [openBrace, closeBrace, openBracket, closeBracket] = [code("{"), code("}"), code("["), code("]")];

/**
 * Which bound a JSON text (UTF-8) breaks, in words, or undefined. One look at each byte, so that it costs little
 * beside what a parser and a schema would do with such a text; whether it is JSON at all is theirs to say.
 */
export function brokenBound(bytes: Uint8Array, { depth, members, values }: JsonBounds): string | undefined {
  let level = 0;
  let [colons, commas] = [0, 0];
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === quote) {
      for (i++; i < bytes.length && bytes[i] !== quote; i++) if (bytes[i] === backslash) i++;
    } else if (byte === openBracket || byte === openBrace) {
      if (++level > depth) return `is nested more than ${depth} levels deep`;
    } else if (byte === closeBracket || byte === closeBrace) level--;
    else if (byte === colon && ++colons > members) return `has more than ${members} members`;
    else if (byte === comma && ++commas > values) return `has more than ${values} values`;
  }
  return undefined;
}
