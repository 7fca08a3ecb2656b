/**
 * Prints the flags by which the portable form starts Deno: the permission set of deno.json, spelled out, and those it
 * is given.
 */
import config from "../../deno.json" with { type: "json" };

const { read, write, net, env, run, sys } = config.permissions.svc;
const flags = [
  "--quiet",
  "--no-prompt",
  "--no-config",
  "--no-lock",
  "--no-remote",
  ...config.unstable.map((name) => `--unstable-${name}`),
  ...(read ? ["--allow-read"] : []),
  ...(write.allow ? ["--allow-write"] : []),
  `--deny-write=${write.deny.join(",")}`,
  ...(net ? ["--allow-net"] : []),
  ...(env ? ["--allow-env"] : []),
  ...(run ? ["--allow-run"] : []),
  `--allow-sys=${sys.join(",")}`,
  ...Deno.args,
];
Deno.stdout.writeSync(new TextEncoder().encode(flags.join(" ") + "\n"));
