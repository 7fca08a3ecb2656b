import type { Place, Service, Task } from "../../types.ts";
import { readComposeServices } from "./compose_services.ts";
import { createContext } from "./context.ts";
import { checkDependencies } from "./dependencies.ts";
import { readFiles } from "./files.ts";
import { gather, type Named } from "./gather.ts";
import type { LoadInput, LoadResult } from "./load_input.ts";
import { createPlacer, findHeaders, type Placer, type Position } from "./place.ts";
import { toProblems } from "./problems.ts";
import { idsOf, readCompose, readDaemon, readNotify } from "./settings.ts";
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
  if (gathered.compose.length > 0 && input.parseYaml === undefined) {
    return { errors: [], warnings: [], needsYaml: true };
  }
  const placeOf = createPlaces(files);
  const notifiers = idsOf(gathered);
  const defaults = readDefaults(gathered.defaults, { context, notifiers });
  const daemon = readDaemon(gathered, context);
  const notify = readNotify(gathered, context);
  const imports = gathered.compose.flatMap((found) => {
    const one = readCompose(found, { context, notifiers, place: placeOf(found) });
    return one === undefined ? [] : [{ one, found }];
  }).sort((a, b) => a.one.alias < b.one.alias ? -1 : 1);

  const unitInput = { context, notifiers, inherited: defaults, placeOf };
  const tasks: Task[] = [];
  const services: { unit: Service; found: Named }[] = [];
  for (const found of gathered.units) {
    if (found.kind === "task") tasks.push(readTask(found, unitInput));
    else services.push({ unit: readService(found, unitInput), found });
  }
  const names = new Set(gathered.units.map(({ name }) => name));
  for (const { one, found } of imports) {
    for (const service of readComposeServices(one, { found, input: unitInput })) {
      const { name } = service.unit;
      if (names.has(name)) report.error({ file: found.file, path: found.path }, namedTwice(name));
      else services.push(service);
      names.add(name);
    }
  }
  if (imports.length > 0 && input.hasProgram?.("docker") === false) {
    const { file, path } = imports[0]!.found;
    report.warning(
      { file, path },
      'cannot find "docker" in PATH: no service of a compose file can be started',
    );
  }
  checkDependencies(
    services.map(({ unit, found }) => ({
      name: unit.name,
      dependsOn: unit.dependsOn,
      autostart: unit.autostart,
      site: { file: found.file, path: found.path, report },
    })),
    new Set(tasks.map(({ name }) => name)),
  );
  const empty = gathered.units.length === 0 && gathered.compose.length === 0;
  if (empty && !report.findings().some(({ severity }) => severity === "error")) {
    report.warning(
      { file: input.path, path: [] },
      "no task and no service is defined: add a [tasks.NAME] or [services.NAME] table",
    );
  }

  const warnings = toProblems("warning", { report, files });
  const errors = toProblems("error", { report, files });
  if (errors.length > 0) return { errors, warnings };
  const config = {
    path: input.path,
    daemon,
    notify,
    removedKeepRuns: defaults.draft.keep_runs ?? taskSection.builtIn.keep_runs,
    removedKeepFor: defaults.draft.keep_for ?? taskSection.builtIn.keep_for,
    units: sortUnits([...tasks, ...services.map(({ unit }) => unit)]),
    compose: imports.map(({ one }) => one),
    sources: context.sources,
    includeGlobs,
    secretVariables: [...context.secretVariables].sort(),
  };
  return { config, errors, warnings };
}

function namedTwice(name: string): string {
  return `"${name}" is defined already: choose another name_format, or rename the other one`;
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
