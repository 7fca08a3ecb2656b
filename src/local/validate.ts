import { unheededPipes } from "../core/pipes.ts";
import { Fault } from "../fault.ts";
import type { Config, Problem } from "../types.ts";
import { loadConfigFile, MAX_CONFIG_BYTES } from "../io/config_files.ts";
import { readAtMost } from "../core/bytes.ts";
import { absolutePath } from "../io/machine_places.ts";
import { installedEnvironment, type ServiceEnvironment } from "./service/installed.ts";

/** Names standard input in place of a file. */
const standardInput = "-";

/** The account of a check, as `svc validate --json` prints it. */
export interface Validation {
  schema_version: 1;
  valid: boolean;
  errors: Problem[];
  warnings: Problem[];
}

/**
 * Checks a configuration with the loader that the daemon uses; `-` is standard input. `env` fills `${VAR}`; absent: that of the service which is
 * installed for the file, else the process's own.
 */
export async function validate(
  path: string,
  options: { env?: Record<string, string> } = {},
): Promise<Validation> {
  if (path === standardInput) return await validateInput(options);
  const service = options.env === undefined ? await installedEnvironment(absolutePath(path)) : undefined;
  const { config, errors: found, warnings } = await loadConfigFile(path, service ?? options);
  const errors = found.map((problem) => withCure(problem, absolutePath(path)));
  const all = errors.length > 0
    ? [...warnings, ...service === undefined ? [] : [checkedFor(service, path)]]
    : [...warnings, ...pipeWarnings(config)];
  return { schema_version: 1, valid: errors.length === 0, errors, warnings: all };
}

/** What a shell hands over in place of a file (`<(...)`, /dev/stdin) can come by standard input. */
function withCure(problem: Problem, path: string): Problem {
  const { file, message } = problem;
  if (file !== path || !message.endsWith(`"${path}": it is no regular file`)) return problem;
  return { ...problem, message: `${message}; pipe it into "svc validate -"` };
}

/** The same of what comes by standard input, as if it were a file in the working folder. */
async function validateInput(options: { env?: Record<string, string> }): Promise<Validation> {
  const input = await readAtMost(Deno.stdin.readable, MAX_CONFIG_BYTES);
  if (input === undefined) {
    throw new Fault("invalid", `standard input is larger than ${MAX_CONFIG_BYTES / 1024 / 1024} MiB`);
  }
  const { config, errors, warnings } = await loadConfigFile(standardInput, { ...options, input });
  const path = absolutePath(standardInput);
  const named = (problems: readonly Problem[]): Problem[] =>
    problems.map(({ message, ...problem }) => ({
      ...problem,
      file: problem.file === path ? standardInput : problem.file,
      message: message.replaceAll(`"${path}"`, "standard input"),
    }));
  return {
    schema_version: 1,
    valid: errors.length === 0,
    errors: named(errors),
    warnings: named([...warnings, ...pipeWarnings(config)]),
  };
}

/** Why a variable may be said to be missing that the reader's own shell has. */
function checkedFor({ unit }: ServiceEnvironment, file: string): Problem {
  const message =
    `checked with the variables that ${unit} has, whose daemon reads this file, not with those of this shell`;
  return { file, line: 0, column: 0, key: "", message };
}

/** A failure that nobody would hear of; it is told here alone, since a daemon would say it at each start. */
function pipeWarnings(config: Config | undefined): Problem[] {
  return unheededPipes(config?.units ?? []).map(({ name, kind, place }) => ({
    ...place,
    key: `${kind}s.${name}.run`,
    message:
      "of a pipe only the last part counts: a failure before it passes for a success; set pipefail = true " +
      '(with shell = "/bin/bash" where the shell lacks it)',
  }));
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
