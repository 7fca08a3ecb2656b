import { call, type ManagedUnit, type Manager, type Place, type Running, sizeOf } from "./manager.ts";

const pinned = "7.0.4";
let installed: string | undefined;

/** pm2 of the npm registry, installed for the time of the comparison. */
export const pm2: Manager = {
  name: "pm2",

  async prepare() {
    installed = await Deno.makeTempDir({ prefix: "svc-bench-pm2-" });
    const args = ["--prefix", installed, "--no-audit", "--no-fund", "--ignore-scripts", `pm2@${pinned}`];
    try {
      await call(["npm", "i", ...args], { cwd: installed });
    } catch (error) {
      await removePm2();
      const [reason] = String(error).split("\n");
      return { missing: `npm can't install pm2@${pinned}: ${reason}` };
    }
    return { version: pinned };
  },

  async start(units, place) {
    await Deno.mkdir(`${place.folder}/logs`, { recursive: true });
    await Deno.writeTextFile(
      `${place.folder}/all.json`,
      JSON.stringify({ apps: units.filter(({ isService }) => isService).map((unit) => app(unit, place)) }),
    );
    await Deno.writeTextFile(
      `${place.folder}/asked.json`,
      JSON.stringify(units.filter(({ isService }) => !isService).map((unit) => app(unit, place))),
    );
    const isAny = units.some(({ isService }) => isService);
    await command(isAny ? ["start", `${place.folder}/all.json`] : ["ping"], place);
    return await running(place);
  },

  save: (place) => command(["save"], place),

  // As its systemd unit does it.
  async startAgain(place) {
    await command(["resurrect"], place);
    return await running(place);
  },
};

/** Removes what was installed. */
export async function removePm2(): Promise<void> {
  if (installed !== undefined) await Deno.remove(installed, { recursive: true });
  installed = undefined;
}

/** Talks to the daemon by the programmatic API, in one process for all requests. */
const driver = `
const pm2 = require("pm2");
const apps = Object.fromEntries(require(process.env.PM2_HOME + "/asked.json").map((app) => [app.name, app]));
const started = new Set(), ends = new Map();
pm2.connect((error) => {
  if (error) throw error;
  pm2.launchBus((error, bus) => {
    if (error) throw error;
    bus.on("process:event", ({ event, process: { name } }) => {
      if (event !== "exit") return;
      ends.get(name)?.();
      ends.delete(name);
    });
    console.log("ready");
  });
});
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const [id, what, name] = line.split(" ");
  const ended = what === "run" ? new Promise((resolve) => ends.set(name, resolve)) : undefined;
  const answer = async (error) => {
    if (!error) await ended;
    console.log(id + " " + (error ? String(error.message ?? error[0]?.message ?? error) : "ok"));
  };
  if (started.has(name)) return pm2.restart(name, answer);
  started.add(name);
  pm2.start(apps[name], answer);
}).on("close", () => process.exit());
`;

/** The driver is started once something is asked of it. */
async function running(place: Place): Promise<Running> {
  let driving: Promise<Driver> | undefined;
  const ask = async (what: string, name: string): Promise<void> =>
    await (await (driving ??= drive(place))).ask(what, name);
  return {
    pid: Number(await Deno.readTextFile(`${place.folder}/pm2.pid`)),
    run: (name) => ask("run", name),
    begin: (name) => ask("begin", name),
    stored: (name) => sizeOf(`${place.folder}/logs/${name}`),
    leave: async () => await (await driving)?.end(),
  };
}

interface Driver {
  ask(what: string, name: string): Promise<void>;
  end(): Promise<void>;
}

async function drive(place: Place): Promise<Driver> {
  const child = new Deno.Command("node", {
    args: ["-e", driver],
    env: environment(place),
    cwd: installed!,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const waiting = new Map<string, (answer: string) => void>();
  const ready = Promise.withResolvers<void>();
  const reading = (async () => {
    let text = "";
    for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (text + piece).split("\n");
      text = lines.pop()!;
      for (const line of lines) {
        if (line === "ready") ready.resolve();
        const id = line.slice(0, line.indexOf(" "));
        waiting.get(id)?.(line.slice(id.length + 1));
        waiting.delete(id);
      }
    }
    for (const answer of waiting.values()) answer("the driver has ended");
    ready.reject(new Error("the driver of pm2 has ended"));
  })();
  await ready.promise;
  const input = child.stdin.getWriter();
  let last = 0;
  return {
    async ask(what, name) {
      const id = String(++last);
      const { promise, resolve } = Promise.withResolvers<string>();
      waiting.set(id, resolve);
      await input.write(new TextEncoder().encode(`${id} ${what} ${name}\n`));
      const answer = await promise;
      if (answer !== "ok") throw new Error(`pm2 says of ${what} ${name}: ${answer}`);
    },
    async end() {
      await input.close();
      await child.status;
      await reading;
    },
  };
}

function app(
  { name, run, instances = 1, isService }: ManagedUnit,
  { folder }: Place,
): Record<string, unknown> {
  const [script, ...args] = run.split(" ");
  return {
    name,
    script: script!.startsWith("/") ? script : `/usr/bin/${script}`,
    args,
    interpreter: "none",
    instances,
    exec_mode: "fork",
    autorestart: isService,
    merge_logs: true,
    vizion: false,
    out_file: `${folder}/logs/${name}`,
    error_file: "/dev/null",
  };
}

async function command(args: readonly string[], place: Place): Promise<void> {
  await call([`${installed}/node_modules/.bin/pm2`, ...args], { env: environment(place) });
}

function environment({ folder, env }: Place): Record<string, string> {
  return { ...env, PM2_HOME: folder, PM2_DISABLE_VERSION_CHECK: "true" };
}
