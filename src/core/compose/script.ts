import type { ComposeImport } from "../../types.ts";
import { shellWord } from "../shell_word.ts";

/** How the container of a run is called; all that docker says of it has this name. */
export function containerOf(runId: string): string {
  return `svc-${runId}`;
}

/** What a run is told of itself. */
const own = ["SVC_RUN_ID", "SVC_TASK", "SVC_TRIGGER", "SVC_ATTEMPT", "SVC_INSTANCE"] as const;

/**
 * The script that runs a service of a compose file: one container with a name and a label made of the run's id, removed
 * when it ends. `variables` are names alone: their values come from the environment of the run, and so stand on no
 * command line.
 */
export function composeScript(
  { file, envFile, projectName, profiles, pull, withDeps }: Pick<
    ComposeImport,
    "file" | "envFile" | "projectName" | "profiles" | "pull" | "withDeps"
  >,
  { service, variables }: { service: string; variables: readonly string[] },
): string {
  const words = [
    "exec docker compose",
    `--file ${shellWord(file)}`,
    ...(projectName === undefined ? [] : [`--project-name ${shellWord(projectName)}`]),
    ...(envFile === undefined ? [] : [`--env-file ${shellWord(envFile)}`]),
    ...profiles.map((profile) => `--profile ${shellWord(profile)}`),
    "run --rm --no-TTY --service-ports --use-aliases",
    // Older versions don't know the flag, and the file may say it for a service.
    ...(pull === "missing" ? [] : [`--pull ${pull}`]),
    '--name "svc-$SVC_RUN_ID" --label "svc.run_id=$SVC_RUN_ID"',
    ...(withDeps ? [] : ["--no-deps"]),
    ...[...variables, ...own].map((name) => `--env ${shellWord(name)}`),
    shellWord(service),
  ];
  return words.join(" ");
}
