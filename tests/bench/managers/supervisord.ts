import {
  call,
  freePort,
  type ManagedUnit,
  type Manager,
  type Place,
  type Running,
  sizeOf,
} from "./manager.ts";
import { pause, until } from "./marked.ts";

/** How supervisord says that a program runs already. */
const alreadyStarted = "60";

/** supervisord of the distribution, asked by XML-RPC. */
export const supervisord: Manager = {
  name: "supervisord",

  async prepare() {
    try {
      return { version: (await call(["supervisord", "--version"])).trim() };
    } catch {
      return { missing: "apt-get install -y --no-install-recommends supervisor brings it" };
    }
  },

  async start(units, place) {
    const { folder } = place;
    await Deno.mkdir(`${folder}/logs`, { recursive: true });
    const head = `[supervisord]
nodaemon=true
user=root
logfile=${folder}/supervisord.log
pidfile=${folder}/supervisord.pid
childlogdir=${folder}/logs

[inet_http_server]
port=127.0.0.1:${freePort()}

[rpcinterface:supervisor]
supervisor.rpcinterface_factory = supervisor.rpcinterface:make_main_rpcinterface
`;
    const text = [head, ...units.map((unit) => unitText(unit, folder))].join("\n");
    await Deno.writeTextFile(`${folder}/supervisord.conf`, text);
    return await launch(place);
  },

  startAgain: launch,
};

async function launch({ folder, env }: Place): Promise<Running> {
  const config = await Deno.readTextFile(`${folder}/supervisord.conf`);
  const url = `http://${/^port=(.*)$/m.exec(config)![1]}/RPC2`;
  const child = new Deno.Command("supervisord", {
    args: ["-c", `${folder}/supervisord.conf`],
    env,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  await until("supervisord answers", () => ask(url, "getState").then(() => true, () => false));
  const begin = async (name: string): Promise<void> => {
    const fault = await ask(url, "startProcess", [name, false]);
    if (fault !== undefined) throw new Error(`supervisord answers with fault ${fault}`);
  };
  return {
    pid: child.pid,
    begin,
    async run(name) {
      await begin(name);
      while ((await state(url, name)) !== "EXITED") await pause(5);
    },
    stored: (name) => sizeOf(`${folder}/logs/${name}`),
    async leave() {
      child.kill("SIGKILL");
      await child.status;
    },
  };
}

async function state(url: string, name: string): Promise<string> {
  return /<name>statename<\/name>\s*<value><string>(\w+)</.exec(await post(url, "getProcessInfo", [name]))
    ?.[1] ??
    "";
}

/** Calls a method; the code of the fault, if that is the answer. */
async function ask(
  url: string,
  method: string,
  params: (string | boolean)[] = [],
): Promise<string | undefined> {
  const text = await post(url, method, params);
  const fault = /<name>faultCode<\/name>\s*<value><int>(\d+)</.exec(text)?.[1];
  return fault === alreadyStarted ? undefined : fault;
}

async function post(url: string, method: string, params: (string | boolean)[]): Promise<string> {
  const values = params.map((value) =>
    `<param><value>${
      typeof value === "string" ? `<string>${value}</string>` : `<boolean>${Number(value)}</boolean>`
    }</value></param>`
  );
  const body = `<?xml version="1.0"?><methodCall><methodName>supervisor.${method}</methodName><params>${
    values.join("")
  }</params></methodCall>`;
  const answer = await fetch(url, { method: "POST", body, headers: { "content-type": "text/xml" } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`supervisord answers ${answer.status} to ${method}`);
  return text;
}

function unitText({ name, run, instances = 1, isService }: ManagedUnit, folder: string): string {
  return `[program:${name}]
command=${run}
numprocs=${instances}
${instances > 1 ? "process_name=%(program_name)s_%(process_num)d" : ""}
autostart=${isService}
autorestart=${isService}
${isService ? "" : "startsecs=0"}
stdout_logfile=${folder}/logs/${name}
stdout_logfile_maxbytes=0
stderr_logfile=/dev/null
stderr_logfile_maxbytes=0
`;
}
