import { configJsonSchema } from "../core/config/root_schema.ts";

/** The JSON Schema (2020-12) of the configuration file, with descriptions and defaults, for editors and checks. */
export function configSchema(): object {
  return configJsonSchema();
}
