import type { Importer } from "../../importers/import/imported.ts";

/** What each kind is imported by; loaded when it is asked for. */
export const importers: Readonly<Record<string, () => Promise<Importer>>> = {
  compose: async () => (await import("../../importers/import/compose/import_compose.ts")).importCompose,
  cron: async () => (await import("../../importers/import/cron/import_cron.ts")).importCron,
  procfile: async () => (await import("../../importers/import/procfile/import_procfile.ts")).importProcfile,
  supervisord: async () =>
    (await import("../../importers/import/supervisord/import_supervisord.ts")).importSupervisord,
  systemd: async () => (await import("../../importers/import/systemd/import_systemd.ts")).importSystemd,
  pm2: async () => (await import("../../importers/import/pm2/import_pm2.ts")).importPm2,
};
