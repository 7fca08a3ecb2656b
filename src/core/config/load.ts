import type { Place, Service, Task } from "../../types.ts";
import { createContext } from "./context.ts";
import { checkDependencies } from "./dependencies.ts";
import { readFiles } from "./files.ts";
import { gather, type Named } from "./gather.ts";
import type { LoadInput, LoadResult } from "./load_input.ts";
import { warnOfPending } from "./pending.ts";
import { createPlacer, findHeaders, type Placer, type Position } from "./place.ts";
import { toProblems } from "./problems.ts";
import { composeNames, idsOf, readCompose, readDaemon, readNotify } from "./settings.ts";
import type { SourceFile } from "./source.ts";
import { taskSection } from "./unit_schema.ts";
import { readDefaults, readService, readTask, sortUnits } from "./units.ts";

export type { LoadInput, LoadResult, ReadFile } from "./load_input.ts";

/**
 * Reads a configuration from its root file and everything that it names, and checks all of it in one pass: a
 * complete configuration, or every error of every file. A syntax error ends its own file only.
 */
export function loadConfig(input: LoadInput): LoadResult {
  const context = createContext(input);
  const { report } = context;
  const { files, includeGlobs } = readFiles(context);
  const gathered = gather(files, report);
  const placeOf = createPlaces(files);
  const notifiers = idsOf(gathered);
  const defaults = readDefaults(gathered.defaults, { context, notifiers });
  const daemon = readDaemon(gathered, context);
  const notify = readNotify(gathered, context);
  const compose = gathered.compose.flatMap((found) =>
    readCompose(found, { context, notifiers, place: placeOf(found) }) ?? []
  ).sort((a, b) => a.alias < b.alias ? -1 : 1);

  const unitInput = { context, notifiers, inherited: defaults, placeOf };
  const tasks: Task[] = [];
  const services: { unit: Service; found: Named }[] = [];
  for (const found of gathered.units) {
    if (found.kind === "task") tasks.push(readTask(found, unitInput));
    else services.push({ unit: readService(found, unitInput), found });
  }
  checkDependencies(
    services.map(({ unit, found }) => ({
      name: unit.name,
      dependsOn: unit.dependsOn,
      site: { file: found.file, path: found.path, report },
    })),
    { tasks: new Set(tasks.map(({ name }) => name)), expected: composeNames(compose) },
  );
  warnOfPending(files, report);
  const empty = gathered.units.length === 0 && gathered.compose.length === 0;
  if (empty && !report.findings().some(({ severity }) => severity === "error")) {
    report.warning(
      { file: input.path, path: [] },
      "no task and no service is defined: add a [tasks.NAME] or [services.NAME] table",
    );
  }

  const findings = report.findings();
  const warnings = toProblems(findings.filter(({ severity }) => severity === "warning"), files);
  const errors = toProblems(findings.filter(({ severity }) => severity === "error"), files);
  if (errors.length > 0) return { errors, warnings };
  const config = {
    path: input.path,
    daemon,
    notify,
    removedKeepRuns: defaults.draft.keep_runs ?? taskSection.builtIn.keep_runs,
    removedKeepFor: defaults.draft.keep_for ?? taskSection.builtIn.keep_for,
    units: sortUnits([...tasks, ...services.map(({ unit }) => unit)]),
    compose,
    sources: context.sources,
    includeGlobs,
  };
  return { config, errors, warnings };
}

/** Finds where units stand: by a scan for headers, by a parse with positions for those that have none. */
function createPlaces(files: readonly SourceFile[]): (found: Named) => Place {
  const byPath = new Map(files.map(({ path, text }) => [path, text]));
  const headers = new Map<string, Map<string, Position>>();
  const placers = new Map<string, Placer>();
  return ({ file, path, name }) => {
    const text = byPath.get(file) ?? "";
    const known = headers.get(file) ?? findHeaders(text);
    headers.set(file, known);
    const placer = placers.get(file) ?? createPlacer(text);
    placers.set(file, placer);
    return { file, ...(known.get(`${path[0]}.${name}`) ?? placer(path)) };
  };
}
