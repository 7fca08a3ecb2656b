import { call, type Place } from "./manager.ts";

/** cron's version, or why it can't be compared with. */
export async function prepareCron(): Promise<{ version: string } | { missing: string }> {
  try {
    await call(["sh", "-c", "command -v cron"]);
  } catch {
    return { missing: "apt-get install -y --no-install-recommends cron brings it" };
  }
  try {
    await call(["unshare", "--mount", "true"]);
  } catch {
    return { missing: "it reads /etc, and this user may not mount a folder over that for it alone" };
  }
  return { version: (await call(["dpkg-query", "-W", "-f", "${Version}", "cron"])).trim() };
}

/** Starts the cron of the distribution on lines as in `/etc/cron.d`; all its folders are of its own. */
export async function startCron(lines: readonly string[], place: Place): Promise<Deno.ChildProcess> {
  const { folder, env } = place;
  for (const name of ["cron.d", "crontabs", "run"]) {
    await Deno.mkdir(`${folder}/${name}`, { recursive: true });
  }
  const table = [...Object.entries(env).map(([name, value]) => `${name}=${value}`), ...lines, ""].join("\n");
  await Deno.writeTextFile(`${folder}/cron.d/bench`, table);
  await Deno.chmod(`${folder}/cron.d/bench`, 0o644);
  await Deno.writeTextFile(`${folder}/crontab`, "");
  return startCronAgain(place);
}

/** Starts it once more on what it has. */
export function startCronAgain({ folder, env }: Place): Deno.ChildProcess {
  const script = `mount --bind ${folder}/cron.d /etc/cron.d
mount --bind ${folder}/crontab /etc/crontab
mount --bind ${folder}/crontabs /var/spool/cron/crontabs
mount --bind ${folder}/run /run
exec cron -f`;
  return new Deno.Command("unshare", {
    args: ["--mount", "sh", "-e", "-c", script],
    env,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
}
