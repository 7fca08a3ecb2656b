import { escapeGlob } from "../../../core/config/glob.ts";
import { folderOf } from "../../../core/config/path.ts";
import type { Entry, ImportContext, SourceFile } from "../imported.ts";
import { substitute } from "./specifiers.ts";
import { readInto, splitSource, type UnitFile, type UnitText } from "./unit_file.ts";

/** The services and timers of some files, with their drop-ins, and what can't be read. */
export interface Gathered {
  services: Map<string, UnitFile>;
  timers: UnitFile[];
  entries: Entry[];
  /** A template with the name of an instance, and with the drop-ins of that. */
  instance: (template: UnitFile, name: string) => UnitFile;
  /** An account of the drop-ins that belong to none of the units. */
  strayDropIns: () => Entry[];
}

/** Reads unit files; what belongs to them is taken from the folders in which they stand. */
export function gatherUnits(files: readonly SourceFile[], context: ImportContext): Gathered {
  const texts = files.flatMap(splitSource);
  const dropIns = texts.filter(({ origin }) => dropInOf(origin) !== undefined);
  const used = new Set<string>();
  const gathered: Gathered = {
    services: new Map(),
    timers: [],
    entries: [],
    instance: (template, name) => {
      const unit = {
        ...template,
        name,
        assignments: [...template.assignments],
        faults: [...template.faults],
      };
      layOver(unit, { names: [name], around });
      return unit;
    },
    strayDropIns: () =>
      dropIns.filter(({ origin }) => !used.has(dropInOf(origin) ?? "")).map(({ path, first, origin }) => ({
        file: path,
        line: first,
        what: baseName(origin),
        fate: {
          is: "refused",
          why: `it is a drop-in of ${dropInOf(origin)}, which is not among the files: name that, too`,
        },
      })),
  };
  const around: Around = { gathered, dropIns, used, context };
  for (const text of texts) if (dropInOf(text.origin) === undefined) addUnit(text, around);
  for (const timer of gathered.timers) addTarget(timer, around);
  return gathered;
}

/** The name of the service that a timer starts, whose own name may stand in it. */
export function targetOf({ assignments, name, file }: UnitFile): string {
  const unit = assignments.findLast(({ section, key }) => section === "Timer" && key === "Unit");
  if (unit === undefined || unit.value === "") return name.replace(/\.timer$/, ".service");
  const read = substitute(unit.value, { name, hostname: "", isUser: false, isPlaced: true, path: file });
  return "text" in read ? read.text : unit.value;
}

interface Around {
  gathered: Gathered;
  dropIns: readonly UnitText[];
  /** Names of units whose drop-ins were read. */
  used: Set<string>;
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
  if (!holdsTimer || extension === "service") return;
  const timer = { ...unit, name: `${known}.timer` };
  if (gathered.timers.some((other) => other.name === timer.name)) {
    return refuse(`a ${timer.name} stands among the files already`);
  }
  gathered.timers.push(timer);
}

function withDropIns(text: UnitText, around: Around & { name: string }): UnitFile {
  const { name } = around;
  const unit: UnitFile = {
    name,
    file: text.path,
    origin: text.origin,
    line: text.first,
    assignments: [],
    faults: [],
    sections: new Map(),
  };
  readInto(unit, text);
  // What is laid over a template holds for its instances as well.
  const template = templateOf(name);
  layOver(unit, { names: template === name ? [name] : [template, name], around });
  return unit;
}

/** Lays the drop-ins of some names over a unit. */
function layOver(
  unit: UnitFile,
  { names, around: { dropIns, used, context } }: { names: readonly string[]; around: Around },
): void {
  const isPiped = unit.origin === "-" || unit.file === "-";
  for (const name of names) {
    const beside = isPiped
      ? []
      : context.files(`${escapeGlob(folderOf(unit.origin))}/${escapeGlob(name)}.d/*.conf`);
    const own = dropIns.filter(({ origin }) => dropInOf(origin) === name);
    used.add(name);
    const all = [
      ...own,
      ...beside.filter(({ path }) => !own.some((one) => one.path === path))
        .map((file) => ({ ...file, origin: file.path, first: 1 })),
    ];
    for (const dropIn of all.sort((a, b) => baseName(a.origin) < baseName(b.origin) ? -1 : 1)) {
      readInto(unit, dropIn);
    }
  }
}

/** The name of the template of an instance; any other name as it is. */
export function templateOf(name: string): string {
  return name.replace(/@[^/]*(?=\.[a-z]+$)/, "@");
}

/** The service of a timer that was named without it, or the template of that. */
function addTarget(timer: UnitFile, around: Around): void {
  const { gathered, context } = around;
  const name = targetOf(timer);
  const names = [name, templateOf(name)];
  if (names.some((one) => gathered.services.has(one))) return;
  if (timer.file === "-" || !/^[^/]+\.service$/.test(name)) return;
  for (const one of names) {
    const [file] = context.files(escapeGlob(`${folderOf(timer.file)}/${one}`));
    if (file !== undefined) return addUnit({ ...file, origin: file.path, first: 1 }, around);
  }
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
