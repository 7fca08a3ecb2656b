/**
 * Prints the flags by which the portable form starts Deno: the permission set of deno.json, spelled out but for writing,
 * and those it is given. With --deny-only, where a process that may write everywhere else may not.
 */
import config from "../deno.json" with { type: "json" };

const { read, write, net, env, run, sys } = config.permissions.svc;
const deny = `--deny-write=${write.deny.join(",")}`;
const flags = Deno.args[0] === "--deny-only" ? [deny] : [
  "--quiet",
  "--no-prompt",
  "--no-config",
  "--no-lock",
  "--no-remote",
  ...config.unstable.map((name) => `--unstable-${name}`),
  ...(read ? ["--allow-read"] : []),
  ...(net ? ["--allow-net"] : []),
  ...(env ? ["--allow-env"] : []),
  ...(run ? ["--allow-run"] : []),
  `--allow-sys=${sys.join(",")}`,
  ...Deno.args,
];
Deno.stdout.writeSync(new TextEncoder().encode(flags.join(" ") + "\n"));
