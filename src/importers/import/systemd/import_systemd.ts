import { type Entry, type ImportContext, type Imported, type SourceFile, takenWith } from "../imported.ts";
import { UnitNames } from "../names.ts";
import { type Made, tieServices } from "./dependencies.ts";
import { gatherUnits, targetOf } from "./gather_units.ts";
import { Ledger } from "./ledger.ts";
import { readService } from "./service.ts";
import { instanceOf, type Specifiers } from "./specifiers.ts";
import { readTimer, type TimerPlan, type TimerSchedule } from "./timer.ts";
import { type Assignment, lastOf, type UnitFile } from "./unit_file.ts";

/** Makes services of service units, and tasks of those that a timer starts or that run once. */
export function importSystemd(files: readonly SourceFile[], context: ImportContext): Imported {
  const { services, timers, entries } = gatherUnits(files, context);
  if (services.size === 0 && timers.length === 0) {
    const [first] = entries;
    if (first === undefined) return { units: [], entries };
    const { file, line, what, fate } = first;
    const why = fate.is === "refused" ? `${what === "-" ? "" : `${what}: `}${fate.why}` : "";
    return { units: [], entries: [], broken: { file, line, why } };
  }
  const names = new UnitNames(context.taken);
  const made: Made[] = [];
  for (const timer of timers) {
    if (!services.has(targetOf(timer)) && !services.has(templateOf(targetOf(timer)))) {
      entries.push(
        refusal(timer, `the ${targetOf(timer)} that it starts is not among the files: name that, too`),
      );
    }
  }
  for (const service of services.values()) {
    made.push(makeUnits(service, {
      names,
      context,
      timers: timers.filter((timer) => [targetOf(timer), templateOf(targetOf(timer))].includes(service.name)),
    }));
  }
  tieServices(made, new Set([...services.keys(), ...timers.map(({ name }) => name)]));
  for (const { units, own, ledgers, entries: more } of made) {
    entries.push(...own, ...more, ...ledgers.flatMap((ledger) => ledger.entries(units[0]?.name)));
  }
  const order = [...new Set([...files.map(({ path }) => path), ...entries.map(({ file }) => file)])];
  const rank = new Map(order.map((file, at) => [file, at]));
  return {
    units: made.flatMap(({ units }) => units),
    entries: entries.sort((a, b) => (rank.get(a.file) ?? 0) - (rank.get(b.file) ?? 0) || a.line - b.line),
  };
}

function makeUnits(
  service: UnitFile,
  { names, context, timers }: { names: UnitNames; context: ImportContext; timers: readonly UnitFile[] },
): Made {
  const faults = [service, ...timers].flatMap(faultEntries);
  const refuse = (why: string, at?: Assignment): Made => ({
    service,
    units: [],
    own: [{ ...refusal(service, why), ...(at === undefined ? {} : { file: at.file, line: at.line }) }],
    entries: faults,
    ledgers: [],
  });
  const named = nameOf(service, timers);
  if (named === undefined) {
    return refuse(
      "it is a template without an instance: copy it to a name such as worker@blue.service, and import that",
    );
  }
  const ledger = new Ledger();
  const specifiers: Specifiers = {
    name: named.name,
    hostname: context.hostname,
    isUser: /\/systemd\/user\/|\/\.config\/systemd\//.test(service.file),
    path: service.file,
    ...(context.home === undefined ? {} : { home: context.home }),
    ...(context.user === undefined ? {} : { user: context.user }),
  };
  const isTask = timers.length > 0 || lastOf(service, "Service", "Type")?.value === "oneshot";
  const read = readService(service, { specifiers, told: ledger, isTask });
  if ("why" in read) return refuse(read.why, read.at);
  ledger.leaveOut(service, ({ section }) => section !== "Timer");
  const stem = named.name.replace(/\.service$/, "");
  const { name, note } = names.given(stem);
  const notes = [...named.notes, ...(note === undefined ? [] : [note])];
  const made: Made = { service, units: [], own: [], entries: faults, ledgers: [ledger] };
  const { settings } = read;
  if (!isTask) {
    made.units.push({ kind: "service", name, settings });
  } else if (timers.length === 0) {
    const starts = lastOf(service, "Install", "WantedBy") !== undefined;
    notes.push(
      starts
        ? "it runs once: a task that runs at each start of the daemon"
        : "it runs once: a task without a schedule, run it by svc run",
    );
    made.units.push({
      kind: "task",
      name,
      settings: { ...settings, ...(starts ? { run_on_start: true } : {}) },
    });
  } else {
    addTasks(made, { timers, name, names, settings, stem });
    if (lastOf(service, "Install", "WantedBy") !== undefined) {
      notes.push("where it is enabled it starts at boot as well: run_on_start does that");
    }
  }
  made.own.push({
    file: service.file,
    line: service.line,
    what: service.name,
    unit: name,
    fate: takenWith(notes),
  });
  return made;
}

/** A task for each schedule of the timers: a task has one. */
function addTasks(
  made: Made,
  { timers, name, names, settings, stem }: {
    timers: readonly UnitFile[];
    name: string;
    names: UnitNames;
    settings: Record<string, unknown>;
    stem: string;
  },
): void {
  const first = (): boolean => made.units.length === 0;
  const add = (plan: TimerPlan, schedule?: TimerSchedule): string => {
    const own = first() ? name : names.given(stem).name;
    const { description, ...rest } = settings;
    made.units.push({
      kind: "task",
      name: own,
      settings: {
        ...(description === undefined ? {} : { description }),
        ...(schedule === undefined ? {} : { cron: schedule.cron }),
        ...(schedule?.zone === undefined ? {} : { timezone: schedule.zone }),
        ...(plan.runsOnStart && first() ? { run_on_start: true } : {}),
        ...(schedule === undefined
          ? {}
          : { catch_up: plan.isPersistent && schedule.at.key === "OnCalendar" ? "latest" : "skip" }),
        // A timer does not start what is active.
        on_overlap: "skip",
        ...rest,
      },
    });
    return own;
  };
  for (const timer of timers) {
    const ledger = new Ledger();
    made.ledgers.push(ledger);
    const plan = readTimer(timer, ledger);
    const isShared = timer.file === made.service.file;
    ledger.leaveOut(timer, ({ section }) => section === "Timer" || !isShared);
    for (const schedule of plan.schedules) {
      const isFirst = first();
      const unit = add(plan, schedule);
      const { at, notes } = schedule;
      const more = isFirst ? [] : [
        `a task has one schedule, so this one has a task of its own, ${unit}; two of one time run side by side`,
      ];
      made.entries.push({
        file: at.file,
        line: at.line,
        what: `${at.key}=${at.value}`,
        unit,
        fate: takenWith([...notes, ...more]),
      });
    }
    if (plan.schedules.length > 0 || (plan.runsOnStart && first())) {
      if (first()) add(plan);
      continue;
    }
    made.entries.push(refusal(timer, "none of its times could be taken"));
  }
  if (first()) add({ schedules: [], runsOnStart: false, isPersistent: false });
}

/** The full name with an instance: its own, that of a timer, or the one that is the default. */
function nameOf(
  service: UnitFile,
  timers: readonly UnitFile[],
): { name: string; notes: string[] } | undefined {
  if (instanceOf(service.name) !== "") return { name: service.name, notes: [] };
  const timed = timers.map(targetOf).find((target) => instanceOf(target) !== "");
  if (timed !== undefined) return { name: timed, notes: [] };
  const instance = lastOf(service, "Install", "DefaultInstance")?.value;
  if (instance === undefined) return undefined;
  return {
    name: service.name.replace("@.", `@${instance}.`),
    notes: [
      `it is a template: this is its instance ${
        JSON.stringify(instance)
      }, by DefaultInstance; copy it to its name for another`,
    ],
  };
}

function templateOf(name: string): string {
  return name.replace(/@[^.]+\./, "@.");
}

function faultEntries({ faults }: UnitFile): Entry[] {
  return faults.map(({ file, line, what, why }) => ({ file, line, what, fate: { is: "refused", why } }));
}

function refusal({ file, line, name }: UnitFile, why: string): Entry {
  return { file, line, what: name, fate: { is: "refused", why } };
}
