import type { ComposeImport, DaemonSettings, Notifier, NotifySettings, Place, Route } from "../../types.ts";
import type { Context } from "./context.ts";
import { composeSection, daemonSection, storageSection } from "./daemon_schema.ts";
import type { Found, Gathered, Named } from "./gather.ts";
import { BUILT_IN_NOTIFIER, notifierSections, notifySection, routeSection } from "./notify_schema.ts";
import { readTable, type Section, type Shape, type Site, unknownKey } from "./section.ts";
import { isTable, type Table, valueAt } from "./source.ts";
import { checkNotifiers, checkServiceTokens, checkShared } from "./unit_check.ts";
import { overrideSection } from "./unit_schema.ts";
import { choice } from "./values.ts";

/** Reads `[daemon]` and `[storage]`. */
export function readDaemon({ daemon, storage }: Gathered, context: Context): DaemonSettings {
  const draft = daemon === undefined ? {} : readTable(daemonSection, daemon.raw, siteOf(daemon, context));
  if (daemon !== undefined) checkPair(daemon, context);
  const all = { ...daemonSection.builtIn, ...draft };
  const absolute = (path: string): string => context.resolve(path, daemon?.file ?? context.input.path);
  const room = {
    ...storageSection.builtIn,
    ...(storage && readTable(storageSection, storage.raw, siteOf(storage, context))),
  };
  return {
    ...(all.timezone !== undefined && { timezone: all.timezone }),
    shutdownTimeout: all.shutdown_timeout,
    externalUrl: all.external_url ?? "",
    tls: all.tls,
    ...(all.tls_cert !== undefined && { tlsCert: absolute(all.tls_cert) }),
    ...(all.tls_key !== undefined && { tlsKey: absolute(all.tls_key) }),
    trustedProxies: [...all.trusted_proxies],
    maxParallelRuns: all.max_parallel_runs,
    metrics: all.metrics,
    ...(all.metrics_listen !== undefined && { metricsListen: all.metrics_listen }),
    storageMaxSize: room.max_size,
    storageMinFreeSpace: room.min_free_space,
  };
}

/** Reads `[notify]`, `[notifiers.ID]` and `[[route]]`. */
export function readNotify(gathered: Gathered, context: Context): NotifySettings {
  const { report } = context;
  const notifiers = idsOf(gathered);
  const { notify } = gathered;
  const draft = notify === undefined ? {} : readTable(notifySection, notify.raw, siteOf(notify, context));
  if (notify !== undefined) {
    const at = { file: notify.file, path: [...notify.path, "global_notifiers"], report };
    checkNotifiers(draft.global_notifiers ?? [], { at, notifiers });
  }
  const all = { ...notifySection.builtIn, ...draft };
  const routes = gathered.routes.map((found): Route => {
    const route = readTable(routeSection, found.raw, siteOf(found, context));
    const ids = route.notify ?? [];
    checkNotifiers(ids, { at: { file: found.file, path: [...found.path, "notify"], report }, notifiers });
    const { kinds = [], severity, task, failure } = route.match ?? {};
    return {
      kinds: [...kinds],
      ...(severity !== undefined && { severity }),
      ...(task !== undefined && { task }),
      ...(failure !== undefined && { failure }),
      notify: ids,
    };
  });
  return {
    globalNotifiers: [...all.global_notifiers],
    coalesceWindow: all.coalesce_window,
    keep: all.keep,
    keepFor: all.keep_for,
    retryBudget: all.retry_budget,
    notifiers: gathered.notifiers.flatMap((found) => readNotifier(found, context)),
    routes,
  };
}

/** The ids of notifiers that are defined, rightly or not. */
export function idsOf({ notifiers }: Gathered): ReadonlySet<string> {
  return new Set(notifiers.map(({ name }) => name));
}

/** Reads one `[compose.ALIAS]`; undefined when it has no usable file. */
export function readCompose(
  found: Named,
  { context, notifiers, place }: { context: Context; notifiers: ReadonlySet<string>; place: Place },
): ComposeImport | undefined {
  const site = siteOf(found, context);
  if (!isTable(found.raw)) {
    readTable(composeSection, found.raw, site);
    return undefined;
  }
  const entries = Object.entries(found.raw);
  // What is no key of its own and no table can only be a mistyped key.
  const isOwn = ([key, raw]: [string, unknown]): boolean =>
    composeSection.keys.some((known) => known === key) || !isTable(raw);
  const own: Table = Object.fromEntries(entries.filter(isOwn));
  const overrides = Object.fromEntries(
    entries.filter((entry): entry is [string, Table] => !isOwn(entry)),
  );
  const draft = readTable(composeSection, own, site);
  const taken = draft.services && new Set(draft.services);
  for (const [service, raw] of Object.entries(overrides)) {
    const inner = { ...site, path: [...site.path, service] };
    const override = readTable(overrideSection, raw, inner);
    checkShared(override, { site: inner, isRoot: context.input.isRoot, notifiers });
    checkServiceTokens(override, inner);
    if (taken !== undefined && !taken.has(service)) {
      context.report.error(
        { file: found.file, path: inner.path },
        () =>
          `${unknownKey(service, [...composeSection.keys, ...taken])}; "services" does not name it either`,
      );
    }
  }
  if (draft.file === undefined) return undefined;
  const all = { ...composeSection.builtIn, ...draft };
  return {
    alias: found.name,
    file: context.resolve(draft.file, found.file),
    ...(all.services !== undefined && { services: all.services }),
    profiles: [...all.profiles],
    ...(all.env_file !== undefined && { envFile: context.resolve(all.env_file, found.file) }),
    ...(all.project_name !== undefined && { projectName: all.project_name }),
    group: all.group,
    nameFormat: all.name_format,
    pull: all.pull,
    withDeps: all.with_deps,
    overrides,
    place,
  };
}

function readNotifier(found: Named, context: Context): Notifier[] {
  const site = siteOf(found, context);
  const { report } = context;
  if (found.name === BUILT_IN_NOTIFIER) {
    report.error(
      { file: found.file, path: found.path },
      `"${BUILT_IN_NOTIFIER}" is built in: choose another id`,
    );
  }
  const kind = valueAt(found.raw, ["type"]);
  const known = Object.keys(notifierSections);
  const section: Section<Shape, string> | undefined =
    typeof kind === "string" && Object.hasOwn(notifierSections, kind)
      ? notifierSections[kind as Notifier["type"]]
      : undefined;
  if (section === undefined || typeof kind !== "string") {
    if (!isTable(found.raw)) readTable(notifySection, found.raw, site);
    else report.error({ file: found.file, path: [...found.path, "type"] }, typeFault(kind, known));
    return [];
  }
  const { type: _type, template, ...own } = readTable(section, found.raw, site);
  const settings: Notifier["settings"] = {};
  for (const [key, value] of Object.entries({ ...section.builtIn, ...own })) {
    settings[key] = value as Notifier["settings"][string];
  }
  return [{
    id: found.name,
    type: kind as Notifier["type"],
    ...(typeof template === "string" && { template }),
    settings,
  }];
}

function typeFault(kind: unknown, known: string[]): string {
  if (kind === undefined) return `is missing: a notifier needs a "type", one of ${known.join(", ")}`;
  const [first = "", ...others] = known;
  const outcome = choice(first, ...others).safeParse(kind);
  return outcome.success ? "" : outcome.error.issues[0]?.message ?? "";
}

function checkPair({ file, path, raw }: Found, { report }: Context): void {
  for (const [key, other] of [["tls_cert", "tls_key"], ["tls_key", "tls_cert"]] as const) {
    if (valueAt(raw, [key]) === undefined || valueAt(raw, [other]) !== undefined) continue;
    report.error({ file, path: [...path, key] }, `"${key}" needs "${other}" beside it`);
  }
}

function siteOf({ file, path }: Found, { report }: Context): Site {
  return { file, path, report };
}
