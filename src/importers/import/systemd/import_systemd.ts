import { type Entry, type ImportContext, type Imported, type SourceFile, takenWith } from "../imported.ts";
import { UnitNames } from "../names.ts";
import { isNoStart } from "./boot_targets.ts";
import { tellControl } from "./control.ts";
import { leaveToHand, type Made, tellTimerOrder, tieServices } from "./dependencies.ts";
import { gatherUnits } from "./gather_units.ts";
import { type Job, jobsOf } from "./instances.ts";
import { Ledger } from "./ledger.ts";
import { readService } from "./service.ts";
import type { Specifiers } from "./specifiers.ts";
import { readTimer, type TimerPlan, type TimerSchedule } from "./timer.ts";
import { type Assignment, lastOf, startersOf, type UnitFile } from "./unit_file.ts";

/** Makes services of service units, and tasks of those that a timer starts or that run once. */
export function importSystemd(files: readonly SourceFile[], context: ImportContext): Imported {
  const gathered = gatherUnits(files, context);
  const { services, timers, entries } = gathered;
  if (services.size === 0 && timers.length === 0) {
    const [first] = [...entries, ...gathered.strayDropIns()];
    if (first === undefined) return { units: [], entries };
    const { file, line, what, fate } = first;
    const why = fate.is === "refused" ? `${what === "-" ? "" : `${what}: `}${fate.why}` : "";
    return { units: [], entries: [], broken: { file, line, why } };
  }
  const names = new UnitNames(context.taken);
  const { jobs, unmade } = jobsOf(gathered);
  const made = jobs.map((job) => makeUnits(job, { names, context }));
  for (const { unit, why } of unmade) entries.push(...faultEntries(unit), refusal(unit, why));
  entries.push(...gathered.strayDropIns());
  tieServices(
    made,
    new Set([
      ...services.keys(),
      ...jobs.map(({ service }) => service.name),
      ...timers.map(({ name }) => name),
    ]),
  );
  leaveToHand(made);
  tellControl(made);
  for (const { units, own, ledgers, entries: more } of made) {
    entries.push(...own, ...more, ...ledgers.flatMap((ledger) => ledger.entries(units[0]?.name)));
  }
  const order = [...new Set([...files.map(({ path }) => path), ...entries.map(({ file }) => file)])];
  const rank = new Map(order.map((file, at) => [file, at]));
  return {
    units: made.flatMap(({ units }) => units),
    entries: withoutTwins(entries)
      .sort((a, b) => (rank.get(a.file) ?? 0) - (rank.get(b.file) ?? 0) || a.line - b.line),
  };
}

/** What instances of one template have in common is told once. */
function withoutTwins(entries: readonly Entry[]): Entry[] {
  const known = new Set<string>();
  return entries.filter((entry) => {
    const key = JSON.stringify({ ...entry, unit: entry.fate.is === "refused" ? undefined : entry.unit });
    return known.size < known.add(key).size;
  });
}

function makeUnits(
  { service, timers, notes: given }: Job,
  { names, context }: { names: UnitNames; context: ImportContext },
): Made {
  const faults = [service, ...timers].flatMap(faultEntries);
  const refuse = (why: string, at?: Assignment): Made => ({
    service,
    units: [],
    own: [{ ...refusal(service, why), ...(at === undefined ? {} : { file: at.file, line: at.line }) }],
    entries: faults,
    ledgers: [],
  });
  const ledger = new Ledger();
  const specifiers = specifiersOf(service, context);
  const isTask = timers.length > 0 || lastOf(service, "Service", "Type")?.value === "oneshot";
  const read = readService(service, { specifiers, told: ledger, isTask });
  if ("why" in read) return refuse(read.why, read.at);
  ledger.leaveOut(service, ({ section }) => section !== "Timer");
  const stem = service.name.replace(/\.service$/, "");
  const { name, note } = names.given(stem);
  const starters = startersOf(service);
  const notes = [...given, ...(note === undefined ? [] : [note]), ...strangerNotes(starters, specifiers)];
  const made: Made = { service, units: [], own: [], entries: faults, ledgers: [ledger] };
  const { settings } = read;
  if (!isTask) {
    made.units.push({ kind: "service", name, settings });
  } else if (timers.length === 0) {
    const starts = starters.some((starter) => !isNoStart(starter));
    notes.push(
      starts
        ? "it runs once: a task that runs at each start of the daemon"
        : starters.length > 0
        ? `it runs once, for ${
          starters.join(" ")
        }, which has no counterpart here: a task without a schedule, run it by svc run`
        : "it runs once: a task without a schedule, run it by svc run",
    );
    made.units.push({
      kind: "task",
      name,
      settings: { ...settings, ...(starts ? { run_on_start: true } : {}) },
    });
  } else {
    addTasks(made, { timers, name, names, settings, stem });
    if (starters.length > 0) {
      notes.push("where it is enabled it starts at boot as well: run_on_start does that");
    }
    const asleep = timers.filter((timer) => startersOf(timer).length === 0).map((timer) => timer.name);
    if (asleep.length > 0) {
      notes.push(
        `${
          asleep.join(", ")
        } has no [Install], so it fires only where something else starts it: here its schedule runs`,
      );
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

function specifiersOf({ name, file, origin }: UnitFile, { hostname, home, user }: ImportContext): Specifiers {
  return {
    name,
    hostname,
    isUser: /\/systemd\/user\/|\/\.config\/systemd\//.test(origin),
    isPlaced: /^\/(?:etc|run|lib|usr\/lib|usr\/local\/lib)\/systemd\/system\//.test(origin),
    path: file,
    ...(home === undefined ? {} : { home }),
    ...(user === undefined ? {} : { user }),
  };
}

/** A note for a unit that lies nowhere, and is started as those of users are. */
function strangerNotes(starters: readonly string[], { isUser, isPlaced }: Specifiers): string[] {
  const sign = starters.find((name) => /^(?:default|graphical-session(?:-pre)?)\.target$/.test(name));
  if (sign === undefined || isUser || isPlaced) return [];
  return [
    `WantedBy=${sign} is a sign that it is a unit of a user: it is read as one of the system, which runs as root, in "/" ` +
    "and with its home in /root; import it from ~/.config/systemd/user if it is one",
  ];
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
    if (!isShared) tellTimerOrder(timer, ledger);
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

function faultEntries({ faults }: UnitFile): Entry[] {
  return faults.map(({ file, line, what, why }) => ({ file, line, what, fate: { is: "refused", why } }));
}

function refusal({ file, line, name }: UnitFile, why: string): Entry {
  return { file, line, what: name, fate: { is: "refused", why } };
}
