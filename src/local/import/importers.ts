import type { Importer } from "../../core/import/imported.ts";

/** What each kind is imported by; loaded when it is asked for. */
export const importers: Readonly<Record<string, () => Promise<Importer>>> = {
  compose: async () => (await import("../../core/import/compose/import_compose.ts")).importCompose,
  cron: async () => (await import("../../core/import/cron/import_cron.ts")).importCron,
  procfile: async () => (await import("../../core/import/procfile/import_procfile.ts")).importProcfile,
  supervisord: async () =>
    (await import("../../core/import/supervisord/import_supervisord.ts")).importSupervisord,
  systemd: async () => (await import("../../core/import/systemd/import_systemd.ts")).importSystemd,
  pm2: async () => (await import("../../core/import/pm2/import_pm2.ts")).importPm2,
};
