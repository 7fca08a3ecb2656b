/** Where listeners tell what an operator should know. */
export interface ListenLog {
  info(message: string, values?: Record<string, string>): void;
  warn(message: string, values?: Record<string, string>): void;
  error(message: string, values?: Record<string, string>): void;
}

/** Tells nobody. */
export const silent: ListenLog = { info: () => {}, warn: () => {}, error: () => {} };
