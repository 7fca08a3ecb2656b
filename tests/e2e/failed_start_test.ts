import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { spawnDaemonProcess, startDaemonProcess } from "../support/daemon_process.ts";
import { inFolder } from "../support/folder.ts";

const units = `
[services.web]
run = "sleep 300"

[tasks.nightly]
cron = "0 3 * * *"
run = "true"
`;

/** What stands in the way of a start. */
interface Obstacle {
  said: RegExp;
  /** Takes it away. */
  mend: () => void;
  config?: string;
  args?: string[];
}

/** Something that listens on a port of this machine. */
function taken(): { port: number; free: () => void } {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return { port: (listener.addr as Deno.NetAddr).port, free: () => listener.close() };
}

/** Lets the database refuse what the scheduler stores when it begins. */
async function refuseSchedules(folder: string): Promise<Obstacle> {
  const daemon = await startDaemonProcess("", { folder });
  await daemon.end();
  const change = (sql: string): void => {
    using database = new DatabaseSync(`${folder}/.svc/svc.db`);
    database.exec(sql);
  };
  change(
    "CREATE TRIGGER refuse BEFORE INSERT ON schedules BEGIN SELECT RAISE(ABORT, 'refused by a test'); END",
  );
  return { said: /refused by a test/, mend: () => change("DROP TRIGGER refuse") };
}

/** In the order of the steps of a start. */
const obstacles: Record<string, (folder: string) => Obstacle | Promise<Obstacle>> = {
  "the database is none": (folder) => {
    Deno.mkdirSync(`${folder}/.svc`, { mode: 0o700 });
    Deno.writeTextFileSync(`${folder}/.svc/svc.db`, "no database ".repeat(1000));
    return { said: /not a database/, mend: () => Deno.removeSync(`${folder}/.svc/svc.db`) };
  },
  "its port is taken": () => {
    const { port, free } = taken();
    return { said: new RegExp(`:${port}`), mend: free, args: ["--port", String(port)] };
  },
  "the port of its metrics is taken": () => {
    const { port, free } = taken();
    const config = `[daemon]\nmetrics = true\nmetrics_listen = "127.0.0.1:${port}"\n`;
    return { said: new RegExp(`:${port}`), mend: free, config };
  },
  "a folder stands where its control socket will be": (folder) => {
    Deno.mkdirSync(`${folder}/other/deep`, { recursive: true, mode: 0o700 });
    return {
      said: /cannot replace control socket/,
      mend: () => Deno.removeSync(`${folder}/other`, { recursive: true }),
      args: ["--socket", `${folder}/other`],
    };
  },
  "what it begins with can't be stored": refuseSchedules,
};

/** Processes that have this text in their environment. */
async function carriersOf(mark: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const environment = await Deno.readTextFile(`/proc/${name}/environ`).catch(() => "");
    if (environment.includes(mark)) found.push(name);
  }
  return found;
}

for (const [name, block] of Object.entries(obstacles)) {
  Deno.test(`a start that fails leaves nothing behind: ${name}`, async () => {
    await inFolder(async (folder) => {
      const { said, mend, config = "", args = [] } = await block(folder);
      const mark = crypto.randomUUID();
      const options = { folder, args, env: { FAILED_START: mark } };
      const spawned = await spawnDaemonProcess(units + config, options);
      assert.notEqual(await spawned.ended(), 0);
      assert.match(spawned.log(), said);
      const left = [...Deno.readDirSync(`${folder}/.svc`)].map((entry) => entry.name);
      const mustGo = ["svc.sock", "svc.sock.kept", "daemon.json", "daemon.json.new", "svc.db-wal"];
      assert.deepEqual(left.filter((one) => mustGo.includes(one)), []);
      assert.deepEqual(await carriersOf(mark), []);
      mend();
      const daemon = await startDaemonProcess(units + config, options);
      assert.equal(await daemon.end(), 0, daemon.log());
      assert.deepEqual(await carriersOf(mark), []);
    });
  });
}

for (
  const [name, value, said] of [
    ["SVC_LOG_LEVEL", "loud", 'svc: SVC_LOG_LEVEL is "loud": give trace, debug, info, warn, error'],
    ["SVC_LOG_FORMAT", "xml", 'svc: SVC_LOG_FORMAT is "xml": give auto, text, json'],
  ] as const
) {
  Deno.test(`a daemon does not start on a word in ${name} that means nothing`, async () => {
    await inFolder(async (folder) => {
      const spawned = await spawnDaemonProcess(units, { folder, env: { [name]: value } });
      assert.equal(await spawned.ended(), 1);
      assert.equal(spawned.log().trim(), said);
    });
  });
}
