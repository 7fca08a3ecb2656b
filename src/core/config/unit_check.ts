import { nearest } from "../nearest.ts";
import { BUILT_IN_NOTIFIER } from "./notify_schema.ts";
import type { KeyPath, Report } from "./report.ts";
import type { Site } from "./section.ts";
import { isTable } from "./source.ts";
import {
  type HealthCheckDraft,
  healthCheckSection,
  type ServiceDraft,
  type SharedDraft,
  type TaskDraft,
} from "./unit_schema.ts";
import type { HealthCheck } from "../../types.ts";
import { quoted } from "./values.ts";

/** Reports what `[defaults]` or a unit says against the rules among its own keys. */
export function checkShared(
  draft: SharedDraft,
  { site, isRoot, notifiers }: { site: Site; isRoot: boolean; notifiers: ReadonlySet<string> },
): void {
  const { file, path, report } = site;
  if (draft.manual_trigger !== undefined && draft.api_trigger !== undefined) {
    report.error(
      { file, path: [...path, "manual_trigger"] },
      '"manual_trigger" is another name of "api_trigger": keep one of them',
    );
  }
  if (draft.user !== undefined && !isRoot) {
    const message = `cannot run as ${
      quoted(draft.user)
    }: only root may change the account, and this is not root`;
    report.error({ file, path: [...path, "user"] }, message);
  }
  checkHookTokens(draft.hook_tokens ?? [], site);
  checkNotifiers(draft.notify ?? [], { at: { file, path: [...path, "notify"], report }, notifiers });
}

/** Reports ids of notifiers that are not defined. */
export function checkNotifiers(
  ids: readonly string[],
  { at, notifiers }: { at: { file: string; path: KeyPath; report: Report }; notifiers: ReadonlySet<string> },
): void {
  for (const [index, id] of ids.entries()) {
    if (id === BUILT_IN_NOTIFIER || notifiers.has(id)) continue;
    at.report.error({ file: at.file, path: [...at.path, index] }, () => {
      const near = nearest(id, [BUILT_IN_NOTIFIER, ...notifiers]);
      const hint = near === undefined ? ": define it under [notifiers]" : `: did you mean "${near}"?`;
      return `no notifier is named ${quoted(id)}${hint}`;
    });
  }
}

/** Reports what a task says against the rules among the keys of tasks. */
export function checkTask(draft: TaskDraft, site: Site): void {
  if (draft.catch_up === "all" && draft.on_overlap !== undefined && draft.on_overlap !== "queue") {
    site.report.error(
      { file: site.file, path: [...site.path, "catch_up"] },
      `catch_up = "all" needs on_overlap = "queue", got ${quoted(draft.on_overlap)}`,
    );
  }
}

/** Reports tokens of a service that allow what a service can't do. */
export function checkServiceTokens(draft: ServiceDraft, site: Site): void {
  for (const [index, { allow }] of (draft.hook_tokens ?? []).entries()) {
    if (!allow.includes("run")) continue;
    site.report.error(
      { file: site.file, path: [...site.path, "hook_tokens", index, "allow"] },
      'a service can\'t be "run": allow "start", "stop" or "restart"',
    );
  }
}

/** The health check of a service, from its table and its raw form; undefined when it is faulty. */
export function readHealthCheck(
  draft: HealthCheckDraft,
  { raw, site }: { raw: unknown; site: Site },
): HealthCheck | undefined {
  if (!isTable(raw)) return undefined;
  const named = (["run", "http", "tcp"] as const).filter((kind) => Object.hasOwn(raw, kind));
  if (named.length !== 1) {
    const found = named.length === 0 ? "none" : named.map((word) => `"${word}"`).join(" and ");
    const message = `a health check needs exactly one of "run", "http" and "tcp", got ${found}`;
    site.report.error({ file: site.file, path: site.path }, message);
    return undefined;
  }
  const { run, http, tcp } = draft;
  const probe: HealthCheck["probe"] | undefined = run !== undefined
    ? { kind: "run", run }
    : http !== undefined
    ? { kind: "http", url: http }
    : tcp !== undefined
    ? { kind: "tcp", ...tcp }
    : undefined;
  if (probe === undefined) return undefined;
  const { interval, timeout, retries, start_period: startPeriod } = {
    ...healthCheckSection.builtIn,
    ...draft,
  };
  return { probe, interval, timeout, retries, startPeriod };
}

function checkHookTokens(tokens: NonNullable<SharedDraft["hook_tokens"]>, site: Site): void {
  const { file, path, report } = site;
  const seen = new Set<string>();
  for (const [index, { token }] of tokens.entries()) {
    if (seen.has(token)) {
      report.error(
        { file, path: [...path, "hook_tokens", index, "token"] },
        "the same token stands twice in this unit",
      );
    }
    seen.add(token);
  }
}
