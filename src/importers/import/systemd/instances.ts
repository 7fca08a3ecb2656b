import { type Gathered, targetOf, templateOf } from "./gather_units.ts";
import { instanceOf } from "./specifiers.ts";
import { lastOf, startersOf, type UnitFile } from "./unit_file.ts";

/** A service, an instance where it is a template, with the timers that start it. */
export interface Job {
  service: UnitFile;
  timers: UnitFile[];
  notes: string[];
}

/** What can't be made, and why. */
export interface Unmade {
  unit: UnitFile;
  why: string;
}

/** The services of some files, with one for each instance that a file, a timer or a default names. */
export function jobsOf(gathered: Gathered): { jobs: Job[]; unmade: Unmade[] } {
  const { services } = gathered;
  const unmade: Unmade[] = [];
  const byTarget = new Map<string, UnitFile[]>();
  /** Templates of services whose timer has no instance either. */
  const open = new Map<string, string>();
  for (const timer of gathered.timers) {
    const template = templateOf(targetOf(timer));
    const isKnown = [...services.keys()].some((name) =>
      name === targetOf(timer) || name === template ||
      (targetOf(timer) === template && templateOf(name) === template)
    );
    if (!isKnown) {
      unmade.push({
        unit: timer,
        why: `the ${targetOf(timer)} that it starts is not among the files: name that, too`,
      });
      continue;
    }
    const instances = timersOf(timer, gathered);
    if (instances.length === 0) {
      open.set(template, timer.name);
      unmade.push({ unit: timer, why: `it ${noInstance(timer.name)}` });
    }
    for (const one of instances) {
      const target = targetOf(one);
      byTarget.set(target, [...byTarget.get(target) ?? [], one]);
    }
  }
  const jobs: Job[] = [];
  for (const service of services.values()) {
    const { name } = service;
    if (instanceOf(name) !== "") {
      jobs.push({ service, timers: byTarget.get(name) ?? [], notes: [] });
      continue;
    }
    const targets = [...byTarget.keys()].filter((target) =>
      target !== name && templateOf(target) === name && !services.has(target)
    );
    const made = targets.map((target): Job => ({
      service: gathered.instance(service, target),
      timers: byTarget.get(target) ?? [],
      notes: [],
    }));
    const preset = defaultOf(service);
    const starts = startersOf(service).length > 0;
    if (preset !== undefined && !targets.includes(preset) && (made.length === 0 || starts)) {
      const timers = byTarget.get(name) ?? [];
      made.push({
        service: gathered.instance(service, preset),
        timers,
        notes: [
          `it is a template: this is its instance ${
            JSON.stringify(instanceOf(preset))
          }, by DefaultInstance; copy it to its name for another`,
        ],
      });
    }
    jobs.push(...made);
    if (made.length === 0) unmade.push({ unit: service, why: `it ${noInstance(name, open.get(name))}` });
  }
  return { jobs, unmade };
}

/** A timer, or its instances where it is a template: by default, or those of which services stand among the files. */
function timersOf(timer: UnitFile, { services, instance }: Gathered): UnitFile[] {
  const target = targetOf(timer);
  if (instanceOf(timer.name) !== "") {
    // A template can't be started itself.
    return instanceOf(target) === "" && defaultOf(services.get(target)) === undefined ? [] : [timer];
  }
  const preset = defaultOf(timer);
  if (preset !== undefined) return [instance(timer, preset)];
  const named = [...services.keys()].filter((name) => templateOf(name) === target && name !== target);
  const known = named.length > 0
    ? named
    : [defaultOf(services.get(target))].filter((name) => name !== undefined);
  return known.map((name) => instance(timer, name.replace(/\.service$/, ".timer")));
}

/** The name of the instance that a template names as its default. */
function defaultOf(unit: UnitFile | undefined): string | undefined {
  if (unit === undefined) return undefined;
  const instance = lastOf(unit, "Install", "DefaultInstance")?.value;
  return instance === undefined ? undefined : unit.name.replace("@.", `@${instance}.`);
}

function noInstance(name: string, timer?: string): string {
  const shown = [name, ...(timer === undefined ? [] : [timer])].map((one) => one.replace("@.", "@blue."));
  if (timer !== undefined) {
    return `is a template without an instance, and so is its timer ${timer}: copy both to names such as ${
      shown.join(" and ")
    }, and import those`;
  }
  if (instanceOf(name) !== "") return "starts a template without an instance: name one in Unit=";
  if (name.endsWith(".timer")) {
    return `is a template without an instance, so none of its times is taken: copy it to a name such as ${shown.join()}, for each instance that is enabled, and import that along with the service`;
  }
  return `is a template without an instance: copy it to a name such as ${shown.join()}, and import that`;
}
