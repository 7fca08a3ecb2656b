import type { Problem } from "../types.ts";
import { loadConfigFile } from "../io/config_files.ts";

/** The account of a check, as `svc validate --json` prints it. */
export interface Validation {
  schema_version: 1;
  valid: boolean;
  errors: Problem[];
  warnings: Problem[];
}

/** Checks a configuration with the loader that the daemon uses; `env` (the process's) fills `${VAR}`. */
export async function validate(
  path: string,
  options: { env?: Record<string, string> } = {},
): Promise<Validation> {
  const { errors, warnings } = await loadConfigFile(path, options);
  return { schema_version: 1, valid: errors.length === 0, errors, warnings };
}

/** A validation as lines for people, `file:line:column: key: message`, errors first. */
export function renderValidation({ errors, warnings }: Validation): string[] {
  return [
    ...errors.map((problem) => renderProblem(problem)),
    ...warnings.map((problem) => renderProblem({ ...problem, message: `warning: ${problem.message}` })),
  ];
}

/** One problem as a line, without the parts that it does not have. */
export function renderProblem({ file, line, column, key, message }: Problem): string {
  const where = line > 0 ? `${file}:${line}:${column}` : file;
  return [where, ...(key === "" ? [] : [key]), message].join(": ");
}
