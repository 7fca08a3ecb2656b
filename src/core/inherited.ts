/** Where the start script keeps what a variable held before the script set it. */
const callers = "SVC_CALLER_";

/** Variables that the start script sets for the runtime alone. */
const setByScript = ["DENO_DIR", "DENO_NO_UPDATE_CHECK", "DENO_DISABLE_NODE_SHIM", "NPM_CONFIG_REGISTRY"];

/** Where the runtime puts its stand-in for Node into PATH, on a machine that has none, and how it says so. */
const shim = { folder: /(?:^|\/)node_compat_bin\/?$/, mark: "DENO_NODE_SHIM_ACTIVE" };

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
  const { PATH: path } = inherited;
  if (path !== undefined) inherited["PATH"] = withoutShim(path);
  if (env["SVC_PROGRAM"] === undefined) return inherited;
  for (const name of setByScript) {
    const before = env[callers + name];
    if (before === undefined) delete inherited[name];
    else inherited[name] = before;
  }
  return inherited;
}

/** A PATH in which `node` is Node, or nothing: who asks for it must not get another program. */
function withoutShim(path: string): string {
  return path.split(":").filter((folder) => !shim.folder.test(folder)).join(":");
}

/** A shell keeps here what it did last: it says nothing of a daemon, and not all of them hand it on. */
const lastWord = "_";

/** What systemd tells a daemon of itself; see systemd.exec(5). */
const ofManager =
  /^(?:NOTIFY_SOCKET|WATCHDOG_(?:USEC|PID)|LISTEN_(?:FDS|PID|FDNAMES)|CREDENTIALS_DIRECTORY|JOURNAL_STREAM|INVOCATION_ID|SYSTEMD_EXEC_PID|MANAGERPID|MEMORY_PRESSURE_(?:WATCH|WRITE)|FDSTORE)$/;

/** Variables that speak to the daemon, and to no process of a unit: its own, and those of the program that runs it. */
function isOwn(name: string): boolean {
  return name === lastWord || name.startsWith("SVC_") || name === shim.mark || ofManager.test(name);
}
