import { builtBinary } from "../built.ts";
import { call, type ManagedUnit, type Manager, type Place, type Running } from "./manager.ts";
import { until } from "./marked.ts";

/** The built file, as people download it. */
export const svc: Manager = {
  name: "svc",

  async prepare() {
    return { version: (await call([await builtBinary(), "--version"])).trim().split(" ").at(-1)! };
  },

  async start(units, place) {
    await Deno.writeTextFile(`${place.folder}/svc.toml`, units.map(unitText).join("\n"));
    return await launch(place);
  },

  startAgain: launch,
};

async function launch({ folder, env }: Place): Promise<Running> {
  const data = `${folder}/data`;
  await Deno.remove(`${data}/daemon.json`).catch(() => {});
  const child = new Deno.Command(await builtBinary(), {
    args: ["daemon", "-c", `${folder}/svc.toml`, "--data", data, "--port", "0"],
    env: { ...env, SVC_AUTH: "off" },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  let url = "";
  await until("svc is ready", async () => {
    const info = JSON.parse(await Deno.readTextFile(`${data}/daemon.json`).catch(() => "{}"));
    if (info.pid === child.pid) url = info.url;
    return url !== "";
  });
  const ask = async (path: string, method = "GET") => {
    const answer = await fetch(`${url}/api/${path}`, { method });
    if (!answer.ok) throw new Error(`svc answers ${answer.status} to ${path}`);
    return await answer.json();
  };
  return {
    pid: child.pid,
    async run(name) {
      const { endReason } = await ask(`tasks/${name}/run?wait=true`, "POST");
      if (endReason !== "succeeded") throw new Error(`a run of svc ended as ${endReason}`);
    },
    async begin(name) {
      await ask(`tasks/${name}/run`, "POST");
    },
    async stored(name) {
      const { runs } = await ask(`runs?task_name=${name}&limit=1`);
      const raw = await fetch(`${url}/api/runs/${runs[0].id}/log/raw`, { method: "HEAD" });
      return Number(raw.headers.get("content-length"));
    },
    async leave() {
      child.kill("SIGKILL");
      await child.status;
    },
  };
}

function unitText({ name, run, instances = 1, isService, atOnce, cron }: ManagedUnit): string {
  if (!isService) {
    const schedule = cron === undefined ? "" : `cron = "${cron}"\n`;
    return `[tasks.${name}]\nrun = "${run}"\nlog_max_size = 0\nkeep_runs = 0\n${schedule}`;
  }
  const delay = atOnce ? `restart_delay = 0\n` : "";
  return `[services.${name}]\nrun = "${run}"\ninstances = ${instances}\n${delay}`;
}
