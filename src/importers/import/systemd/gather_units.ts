import { escapeGlob } from "../../../core/config/glob.ts";
import { folderOf } from "../../../core/config/path.ts";
import type { Entry, ImportContext, SourceFile } from "../imported.ts";
import { readInto, splitSource, type UnitFile, type UnitText } from "./unit_file.ts";

/** The services and timers of some files, with their drop-ins, and what can't be read. */
export interface Gathered {
  services: Map<string, UnitFile>;
  timers: UnitFile[];
  entries: Entry[];
}

/** Reads unit files; what belongs to them is taken from the folders in which they stand. */
export function gatherUnits(files: readonly SourceFile[], context: ImportContext): Gathered {
  const gathered: Gathered = { services: new Map(), timers: [], entries: [] };
  const texts = files.flatMap(splitSource);
  const dropIns = texts.filter(({ origin }) => dropInOf(origin) !== undefined);
  for (const text of texts) {
    if (dropInOf(text.origin) === undefined) addUnit(text, { gathered, dropIns, context });
  }
  for (const timer of gathered.timers) addTarget(timer, { gathered, dropIns, context });
  for (const { path, first, origin } of dropIns) {
    const name = dropInOf(origin) ?? "";
    if (gathered.services.has(name) || gathered.timers.some((timer) => timer.name === name)) continue;
    gathered.entries.push({
      file: path,
      line: first,
      what: baseName(origin),
      fate: {
        is: "refused",
        why: `it is a drop-in of ${name}, which is not among the files: name that, too`,
      },
    });
  }
  return gathered;
}

/** The name of the service that a timer starts. */
export function targetOf(timer: UnitFile): string {
  const unit = timer.assignments.findLast(({ section, key }) => section === "Timer" && key === "Unit");
  return unit === undefined || unit.value === "" ? timer.name.replace(/\.timer$/, ".service") : unit.value;
}

interface Around {
  gathered: Gathered;
  dropIns: readonly UnitText[];
  context: ImportContext;
}

function addUnit(text: UnitText, around: Around): void {
  const { gathered } = around;
  const name = baseName(text.origin);
  const refuse = (why: string): void => {
    gathered.entries.push({ file: text.path, line: text.first, what: name, fate: { is: "refused", why } });
  };
  const extension = /\.([a-z]+)$/.exec(name)?.[1] ?? "";
  if (others.has(extension)) return refuse(`svc has no counterpart of a ${extension} unit`);
  const unit = withDropIns(text, { ...around, name });
  const holdsService = unit.sections.has("Service");
  const holdsTimer = unit.sections.has("Timer");
  if (!holdsService && !holdsTimer) {
    return refuse("it is no unit file of a service or timer: it has neither section");
  }
  if (extension === "service" && !holdsService) return refuse("it has no section [Service]");
  if (extension === "timer" && !holdsTimer) return refuse("it has no section [Timer]");
  const stem = extension === "service" || extension === "timer" ? name.replace(/\.[a-z]+$/, "") : name;
  const known = stem === "-" ? "imported" : stem;
  if (holdsService && extension !== "timer") {
    const service = { ...unit, name: `${known}.service` };
    if (gathered.services.has(service.name)) {
      return refuse(`a ${service.name} stands among the files already`);
    }
    gathered.services.set(service.name, service);
  }
  if (holdsTimer && extension !== "service") gathered.timers.push({ ...unit, name: `${known}.timer` });
}

function withDropIns(text: UnitText, { dropIns, context, name }: Around & { name: string }): UnitFile {
  const unit: UnitFile = {
    name,
    file: text.path,
    line: text.first,
    assignments: [],
    faults: [],
    sections: new Map(),
  };
  readInto(unit, text);
  const beside = text.origin === "-" || text.path === "-"
    ? []
    : context.files(`${escapeGlob(folderOf(text.origin))}/${escapeGlob(name)}.d/*.conf`);
  const own = dropIns.filter(({ origin }) => dropInOf(origin) === name);
  const all = [
    ...own,
    ...beside.filter(({ path }) => !own.some((one) => one.path === path))
      .map((file) => ({ ...file, origin: file.path, first: 1 })),
  ];
  for (const dropIn of all.sort((a, b) => baseName(a.origin) < baseName(b.origin) ? -1 : 1)) {
    readInto(unit, dropIn);
  }
  return unit;
}

/** The service of a timer that was named without it. */
function addTarget(timer: UnitFile, around: Around): void {
  const { gathered, context } = around;
  const name = targetOf(timer);
  const template = name.replace(/@[^.]+\./, "@.");
  if (gathered.services.has(name) || gathered.services.has(template)) return;
  if (timer.file === "-" || !/^[^/]+\.service$/.test(name)) return;
  const [file] = context.files(escapeGlob(`${folderOf(timer.file)}/${name}`));
  if (file !== undefined) addUnit({ ...file, origin: file.path, first: 1 }, around);
}

function dropInOf(origin: string): string | undefined {
  return /\/([^/]+\.(?:service|timer))\.d\/[^/]+\.conf$/.exec(origin)?.[1];
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

const others: ReadonlySet<string> = new Set(
  "socket path mount automount swap target device slice scope network netdev link".split(" "),
);
