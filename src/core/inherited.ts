/** Where the start script keeps what a variable held before the script set it. */
const callers = "SVC_CALLER_";

/** Variables that the start script sets for the runtime alone. */
const setByScript = ["DENO_DIR", "DENO_NO_UPDATE_CHECK"];

/**
 * What runs inherit of the daemon's own environment: not what speaks to the daemon itself or to the runtime that it
 * is in, nor what the configuration has made a secret of (`hidden`).
 */
export function inheritedVariables(
  env: Readonly<Record<string, string>>,
  hidden: ReadonlySet<string> = new Set(),
): Record<string, string> {
  const inherited = Object.fromEntries(
    Object.entries(env).filter(([name]) => !isOwn(name) && !hidden.has(name)),
  );
  if (env["SVC_PROGRAM"] === undefined) return inherited;
  for (const name of setByScript) {
    const before = env[callers + name];
    if (before === undefined) delete inherited[name];
    else inherited[name] = before;
  }
  return inherited;
}

/** Variables that speak to the daemon, and to no process of a unit: its own, and those of the program that runs it. */
function isOwn(name: string): boolean {
  return name.startsWith("SVC_") ||
    /^(?:NOTIFY_SOCKET|WATCHDOG_(?:USEC|PID)|LISTEN_(?:FDS|PID|FDNAMES)|CREDENTIALS_DIRECTORY)$/.test(name);
}
