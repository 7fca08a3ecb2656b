/** The global flags, as far as they were given. A flag beats its variable, which beats the default. */
export interface GlobalFlags {
  config?: string;
  data?: string;
  socket?: string;
  host?: string;
  port?: number;
  url?: string;
  json?: boolean;
  logLevel?: "trace" | "debug" | "info" | "warn" | "error";
  logFormat?: "auto" | "text" | "json";
}

/** The flags that say where things are. */
export type PlaceFlags = Pick<GlobalFlags, "config" | "data" | "socket">;
