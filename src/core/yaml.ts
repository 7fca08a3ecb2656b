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

/** Reads YAML 1.2 as plain values, merge keys resolved; `fault` says with the line what is wrong with the text. */
export function parseYaml(text: string): { value: unknown } | { fault: string } {
  try {
    return { value: load(text, { schema, maxAliases: 10_000 }) };
  } catch (error) {
    if (!(error instanceof YAMLException)) {
      return { fault: error instanceof Error ? error.message : String(error) };
    }
    const { reason, mark } = error;
    return {
      fault: mark === undefined ? reason : `line ${mark.line + 1}, column ${mark.column + 1}: ${reason}`,
    };
  }
}
