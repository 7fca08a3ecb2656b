import type { DaemonLog } from "../io/daemon_log.ts";
import type { Problem } from "../types.ts";

/** Says in the daemon's log what the loader warns of. */
export function logWarnings(log: DaemonLog, warnings: readonly Problem[]): void {
  for (const { file, line, column, key, message } of warnings) {
    log.warn(message, { key: key || undefined, at: line > 0 ? `${file}:${line}:${column}` : file });
  }
}
