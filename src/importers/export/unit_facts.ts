/** What all exports ask of a unit. */

import type { Task, Unit } from "../../types.ts";
import { argumentsOf, paramEnvironment } from "../../core/params.ts";

/** The words behind the script: parameters by their defaults. */
export function defaultArguments(unit: Unit): string[] {
  return unit.kind === "task" ? argumentsOf(unit.params, defaultValues(unit)) : [];
}

/** The variables that are no secrets: those that a secret replaces are left out, parameters stand by their defaults. */
export function plainEnvironment(unit: Unit): Record<string, string> {
  const own = Object.entries(unit.env).filter(([name]) => !Object.hasOwn(unit.secrets, name));
  const params = unit.kind === "task" ? paramEnvironment(unit.params, defaultValues(unit)) : {};
  return { ...Object.fromEntries(own), ...params };
}

/** The secrets that reach a run: a parameter of the same name beats them. */
export function secretEnvironment(unit: Unit): Record<string, string> {
  const params = unit.kind === "task" ? paramEnvironment(unit.params, defaultValues(unit)) : {};
  return Object.fromEntries(Object.entries(unit.secrets).filter(([name]) => !Object.hasOwn(params, name)));
}

/** True when a script of the unit speaks of a variable. */
export function mentions(unit: Unit, variable: string): boolean {
  const probe = unit.kind === "service" ? unit.healthCheck?.probe : undefined;
  const scripts = [unit.run, ...(probe?.kind === "run" ? [probe.run] : [])];
  return scripts.some((script) => new RegExp(`\\b${variable}\\b`).test(script));
}

/** What the file of an export says at its top: where it comes from. */
export function originOf(unit: Unit): string {
  const file = unit.place.file.slice(unit.place.file.lastIndexOf("/") + 1);
  return `${unit.kind}s.${unit.name} of ${file}`;
}

/** Text that has to stay on one line. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Whole seconds, rounded up: a little longer does no harm where none would. No more than 32 bits hold, 68 years. */
export function wholeSeconds(ms: number): number {
  return Math.min(2 ** 31 - 1, Math.ceil(ms / 1000));
}

function defaultValues(task: Task): Record<string, string> {
  return Object.fromEntries(
    task.params.flatMap(({ key, default: value }) => value === undefined ? [] : [[key, value]]),
  );
}
