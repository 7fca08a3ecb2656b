import {
  CORE_SCHEMA,
  defineMappingTag,
  defineScalarTag,
  defineSequenceTag,
  load,
  mapTag,
  mergeTag,
  seqTag,
  YAMLException,
} from "js-yaml";

/** What a tag that nobody knows here stands before is read as if it had none. */
const anyTag = { matchByTagPrefix: true, identify: () => false };
const schema = CORE_SCHEMA.withTags(
  mergeTag,
  defineScalarTag<string>("!", { ...anyTag, resolve: (source) => source }),
  defineSequenceTag("!", { ...seqTag, ...anyTag }),
  defineMappingTag("!", { ...mapTag, ...anyTag }),
);

/**
 * Reads YAML 1.2 as plain values, merge keys resolved; `fault` says with the line what is wrong with the text. As
 * libyaml and its kin do, docker compose's among them, it takes lines within brackets and quotes that stand further
 * out than YAML has them; `text` is what was read, where such lines are moved in.
 */
export function parseYaml(text: string): { value: unknown; text: string } | { fault: string } {
  let known = text;
  let left = MOST_READ;
  const moved = new Set<number>();
  for (;;) {
    const read = readOnce(known);
    if (!("reason" in read)) return read;
    const { reason, line, column } = read;
    left -= known.length;
    if (reason === "deficient indentation" && line > 0 && !moved.has(line) && left > 0) {
      const lines = known.split("\n");
      const blank = " ".repeat(deepest(text) + 1);
      lines[line - 1] = blank + lines[line - 1];
      moved.add(line);
      known = lines.join("\n");
      continue;
    }
    const shift = moved.has(line) ? deepest(text) + 1 : 0;
    return { fault: line === 0 ? reason : `line ${line}, column ${column - shift}: ${reason}` };
  }
}

/** The most characters that are read again and again for the sake of lines that stand too far out. */
const MOST_READ = 30_000_000;

/** The widest indentation of a text. */
function deepest(text: string): number {
  let most = 0;
  for (const [blank] of text.matchAll(/^ +/gm)) most = Math.max(most, blank.length);
  return Math.min(most, 1000);
}

function readOnce(
  text: string,
): { value: unknown; text: string } | { reason: string; line: number; column: number } {
  try {
    return { value: load(text, { schema, maxAliases: 10_000 }), text };
  } catch (error) {
    if (!(error instanceof YAMLException)) {
      return { reason: error instanceof Error ? error.message : String(error), line: 0, column: 0 };
    }
    const { reason, mark } = error;
    return {
      reason,
      line: mark === undefined ? 0 : mark.line + 1,
      column: mark === undefined ? 0 : mark.column + 1,
    };
  }
}
