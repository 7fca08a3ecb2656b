import type { Place, Service, Task, Unit, UnitBase } from "../../types.ts";
import type { Context } from "./context.ts";
import { tooLongScript, tooLongVariable, tooMuchTogether } from "../exec_limits.ts";
import { isPosixShell } from "../posix_shell.ts";
import { type Layer, readLayer, stack } from "./environment.ts";
import { folderOf } from "./path.ts";
import { readParams } from "./params.ts";
import type { Named } from "./gather.ts";
import { readTable, type Site } from "./section.ts";
import { isTable, valueAt } from "./source.ts";
import { checkServiceTokens, checkShared, checkTask, readHealthCheck } from "./unit_check.ts";
import { quoted } from "./values.ts";
import {
  defaultsSection,
  type ServiceDraft,
  serviceSection,
  type SharedDraft,
  type TaskDraft,
  taskSection,
} from "./unit_schema.ts";

/** What all units inherit: `[defaults]`, its paths absolute, its variables read. */
export interface Inheritance {
  draft: SharedDraft;
  layer: Layer;
}

/** What reading a unit needs beside its table. */
export interface UnitInput {
  context: Context;
  notifiers: ReadonlySet<string>;
  inherited: Inheritance;
  placeOf: (found: Named) => Place;
}

/** Reads `[defaults]`; without one, nothing is inherited. */
export function readDefaults(
  found: { file: string; raw: unknown } | undefined,
  { context, notifiers }: { context: Context; notifiers: ReadonlySet<string> },
): Inheritance {
  if (found === undefined) return { draft: {}, layer: { env: {}, secrets: {} } };
  const site: Site = { file: found.file, path: ["defaults"], report: context.report };
  const draft = readTable(defaultsSection, found.raw, site);
  checkShared(draft, { site, notifiers, isRoot: context.input.isRoot });
  return {
    draft: absolutePaths(draft, { context, file: found.file }),
    layer: readLayer(draft, { context, site }),
  };
}

/** Reads one `[tasks.NAME]`; what is wrong is reported, and the task then stands for what could be read. */
export function readTask(found: Named, input: UnitInput): Task {
  const site: Site = { file: found.file, path: found.path, report: input.context.report };
  const draft = readTable(taskSection, found.raw, site);
  checkTask(draft, site);
  const params = readParams(draft.params ?? [], { raw: found.raw, site });
  const { base, all } = readBase(found, { draft, builtIn: taskSection.builtIn, site, input });
  return {
    ...base,
    kind: "task",
    ...(draft.cron !== undefined && { cron: draft.cron.trim() }),
    ...(draft.timezone !== undefined && { timezone: draft.timezone }),
    jitter: all.jitter,
    runOnStart: all.run_on_start,
    catchUp: all.catch_up,
    maxCatchUpRuns: all.max_catch_up_runs,
    onOverlap: all.on_overlap,
    maxConcurrent: all.max_concurrent,
    queueMax: all.queue_max,
    retryAttempts: all.retry_attempts,
    retryDelay: all.retry_delay,
    retryBackoff: all.retry_backoff,
    expectEvery: all.expect_every,
    ...(draft.warn_after !== undefined && { warnAfter: draft.warn_after }),
    ...(draft.ping_url !== undefined && { pingUrl: draft.ping_url }),
    params,
  };
}

/** Reads one `[services.NAME]`; what is wrong is reported, and the service then stands for what could be read. */
export function readService(found: Named, input: UnitInput): Service {
  const site: Site = { file: found.file, path: found.path, report: input.context.report };
  const draft = readTable(serviceSection, found.raw, site);
  checkServiceTokens(draft, site);
  const { base, all } = readBase(found, { draft, builtIn: serviceSection.builtIn, site, input });
  const healthCheck = draft.health_check && readHealthCheck(draft.health_check, {
    raw: valueAt(found.raw, ["health_check"]),
    site: { ...site, path: [...site.path, "health_check"] },
  });
  return {
    ...base,
    kind: "service",
    // A token of [defaults] is for tasks too; what a service can't do falls away.
    hookTokens: base.hookTokens.map(({ token, allow }) => ({
      token,
      allow: allow.filter((it) => it !== "run"),
    }))
      .filter(({ allow }) => allow.length > 0),
    instances: all.instances,
    autostart: all.autostart,
    priority: all.priority,
    dependsOn: [...all.depends_on],
    restart: all.restart,
    restartDelay: all.restart_delay,
    restartBackoff: all.restart_backoff,
    healthyAfter: all.healthy_after,
    startRetries: all.start_retries,
    ...(healthCheck && { healthCheck }),
  };
}

/** Units by name. */
export function sortUnits(units: Unit[]): Unit[] {
  return units.sort((a, b) => a.name < b.name ? -1 : 1);
}

interface BaseInput<D extends SharedDraft, B extends object> {
  draft: D;
  builtIn: B;
  site: Site;
  input: UnitInput;
}

/** The part that tasks and services share, and all keys of the unit, its own over inherited over built-in ones. */
function readBase<
  D extends TaskDraft | ServiceDraft,
  B extends typeof taskSection.builtIn | typeof serviceSection.builtIn,
>(
  found: Named,
  { draft, builtIn, site, input }: BaseInput<D, B>,
): { base: UnitBase; all: B } {
  const { context, inherited, notifiers } = input;
  checkShared(draft, { site, notifiers, isRoot: context.input.isRoot });
  const own = absolutePaths(draft, { context, file: found.file });
  // Keys that were left out are absent, not undefined, so spreading them overrides nothing.
  const all = { ...builtIn, ...inherited.draft, ...own } as B & SharedDraft;
  if (all.run === undefined && isTable(found.raw)) {
    const what = found.path[0] === "tasks" ? "a task" : "a service";
    site.report.error(
      { file: found.file, path: [...found.path, "run"] },
      `is missing: ${what} needs "run", the script to execute`,
    );
  }
  const { env, secrets, ...files } = stack(inherited.layer, readLayer(draft, { context, site }));
  if (all.pipefail) checkPipefail(all.shell, { isOwn: draft.pipefail === true, context, site });
  checkSizes({ script: all.run ?? "", env, secrets }, site);
  if (all.user === undefined) warnOfOwners(Object.values(files), { context, site });
  const { memory, cpu, pids } = all.limits;
  const base: UnitBase = {
    name: found.name,
    run: all.run ?? "",
    description: all.description,
    group: all.group,
    apiTrigger: draft.api_trigger ?? draft.manual_trigger ?? inherited.draft.api_trigger ??
      inherited.draft.manual_trigger ?? builtIn.api_trigger,
    timeout: all.timeout,
    gracefulStop: all.graceful_stop,
    stopSignal: all.stop_signal,
    killStrays: all.kill_strays,
    survive: all.survive,
    exitCodes: all.exit_codes,
    failures: all.failures,
    workingDir: all.working_dir ?? folderOf(found.file),
    shell: all.shell,
    ...(all.pipefail && { pipefail: true }),
    ...(all.umask !== undefined && { umask: all.umask }),
    ...(all.user !== undefined && { user: all.user }),
    envBase: all.env_base,
    env,
    ...files,
    secrets,
    keepRuns: all.keep_runs,
    keepFor: all.keep_for,
    logMaxSize: all.log_max_size,
    logOnFull: all.log_on_full,
    hookTokens: all.hook_tokens,
    notify: all.notify,
    // A limit of 0 is none.
    limits: { ...(memory && { memory }), ...(cpu && { cpu }), ...(pids && { pids }) },
    place: input.placeOf(found),
  };
  return { base, all };
}

/** Reports `pipefail` where the shell would refuse it, and so every run. */
function checkPipefail(
  shell: string,
  { isOwn, context, site }: { isOwn: boolean; context: Context; site: Site },
): void {
  if ((context.input.knowsPipefail?.(shell) ?? true) && isPosixShell(shell)) return;
  const mend = isOwn ? "" : ", or pipefail = false for this unit";
  site.report.error(
    { file: site.file, path: isOwn ? [...site.path, "pipefail"] : site.path },
    `${quoted(shell)} does not know pipefail: set shell = "/bin/bash" beside it${mend}`,
  );
}

/** Reports what no kernel would execute. */
function checkSizes(
  { script, env, secrets }: { script: string; env: Record<string, string>; secrets: Record<string, string> },
  { file, path, report }: Site,
): void {
  const refuse = (keys: readonly string[], why: string | undefined): void => {
    if (why !== undefined) report.error({ file, path: [...path, ...keys] }, why);
    isRefused ||= why !== undefined;
  };
  let isRefused = false;
  refuse(["run"], tooLongScript(script));
  for (const [key, values] of Object.entries({ env, secrets })) {
    for (const [name, value] of Object.entries(values)) refuse([key, name], tooLongVariable(name, value));
  }
  if (!isRefused) refuse([], tooMuchTogether(script, { ...env, ...secrets }));
}

/** Warns of files with which somebody else could make a unit of root's do what he likes. */
export function warnOfOwners(
  files: readonly string[],
  { context, site }: { context: Context; site: Site },
): void {
  for (const file of files) {
    const why = context.input.distrust?.(file);
    if (why === undefined) continue;
    site.report.warning(
      { file: site.file, path: site.path },
      `runs as root with what "${file}" says, and ${why}: make that file root's, or give the unit a "user"`,
    );
  }
}

/** A draft whose paths no longer depend on the file that they stand in. */
function absolutePaths<D extends SharedDraft>(
  draft: D,
  { context, file }: { context: Context; file: string },
): D {
  const { working_dir: folder, shell } = draft;
  const absolute = { ...draft };
  // "~" is the home of the run's user, which only the run knows.
  if (folder !== undefined && !folder.startsWith("~")) absolute.working_dir = context.resolve(folder, file);
  // A bare name is looked up in PATH; only a path belongs to a folder.
  if (shell?.includes("/")) absolute.shell = context.resolve(shell, file);
  return absolute;
}
