import type { ImportContext } from "../../src/importers/import/imported.ts";

/** What a machine has to say whose cron gives its jobs no variables. */
export const quietMachine: ImportContext["files"] = (path) =>
  path === "/etc/pam.d/cron" ? [{ path, text: "session required pam_unix.so\n" }] : [];
