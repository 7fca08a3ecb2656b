import assert from "node:assert/strict";
import { keeperPath, keeperText } from "../../../src/core/keeper.ts";
import { keeperScript } from "../../../src/core/keeper_script.ts";
import { endOfRecord } from "../../../src/io/process/kept_handle.ts";
import { Machine } from "./fixture.ts";
import { fileOf, read } from "./keeper_files.ts";

Deno.test("launch() gives no word of a kept run's secrets to what others can see of its keeper", async () => {
  await using m = await Machine.keeping();
  const child = m.launch("echo up; sleep 60", { env: { TOKEN: "s3cret" }, args: ["s3cret-argument"] });
  await child.says("up");
  const file = fileOf(m, child);
  const { keeper } = file.record;
  assert.deepEqual(Deno.readTextFileSync(`/proc/${keeper}/environ`), "");
  const path = keeperPath(m.folders.keepers, child.runId);
  assert.equal(Deno.readTextFileSync(`/proc/${keeper}/cmdline`), `/bin/sh\0${path}\0`);
  assert.equal(Deno.readLinkSync(`/proc/${keeper}/cwd`), "/");
  assert.equal(Deno.statSync(path).mode! & 0o777, 0o600);
  const { note, group, folder, ...words } = file.words;
  assert.deepEqual(words, { runId: child.runId, nonce: `n${child.runId}`, isLong: false });
  assert.equal(folder, Deno.realPathSync(m.folders.keepers));
  assert.equal(group !== undefined, m.processes.groups.available);
  assert.equal(note !== undefined, m.processes.groups.available, "who has a group has a launcher");
  assert.equal(file.about, "about");
  assert.deepEqual([file.record.pid, file.record.end], [child.pid, undefined]);
  assert.equal(file.record.ticks, await m.processes.startTicks(child.pid));
  child.signal("SIGKILL");
  await child.end();
});

Deno.test({
  name: "launch() lets nothing that runs as another user write what a keeper writes down",
  ignore: Deno.uid() !== 0,
  fn: async () => {
    await using m = await Machine.keeping();
    await using plain = new Machine();
    const look = "cd /proc/$$/fd; for fd in *; do echo $fd $(readlink $fd | tr -d 0-9); done; id -u";
    const both = [m, plain].map((machine) => machine.launch(look, { user: "nobody", cwd: "/" }));
    for (const child of both) assert.deepEqual(await child.end(), { code: 0 }, child.stderr);
    assert.equal(both[0]!.stdout, both[1]!.stdout);
    const { words, record } = fileOf(m, both[0]!);
    assert.equal(String(words.owner), both[0]!.stdout.trim().split("\n").at(-1));
    assert.equal(record.end, 0);
  },
});

Deno.test("launch() gives a kept run nothing of its keeper but its two pipes, and no name of its own", async () => {
  await using m = await Machine.keeping();
  const look = "ls /proc/$$/fd; tr '\\0' '\\n' < /proc/$$/environ | cut -d= -f1 | sort";
  await using plain = new Machine();
  const both = [m, plain].map((machine) => machine.launch(look, { env: { A: "1" } }));
  for (const child of both) await child.end();
  assert.match(both[0]!.stdout, /^A$/m);
  assert.equal(both[0]!.stdout, both[1]!.stdout);
});

Deno.test("launch() carries odd names, odd values and many variables into a kept run", async () => {
  await using m = await Machine.keeping();
  const env: Record<string, string> = {
    EMPTY: "",
    QUOTES: "a 'b' \"c\" $D `e` \\f %g #h\n#end 0\nü",
    "a.b": "dotted 'value'\nof two lines",
    "BASH_FUNC_hello%%": "() { echo hello; }",
    "-n": "dash",
    IFS: "ab",
    UID: "77",
    PPID: "78",
    OPTIND: "7",
  };
  for (let index = 0; index < 2_000; index++) env[`MANY_${index}`] = "x".repeat(100);
  const child = m.launch("cat /proc/$$/environ", { env });
  await child.end();
  const got = new Map(
    child.stdout.split("\0").map((entry) => {
      const sign = entry.indexOf("=");
      return [entry.slice(0, sign), entry.slice(sign + 1)] as const;
    }),
  );
  for (const [name, value] of Object.entries(env)) assert.equal(got.get(name), value, name);
  assert.equal(got.has("SHLVL"), false);
  assert.deepEqual(m.said, []);
});

Deno.test("launch() starts without a keeper what the machine would refuse with one, and says so once where it may be too much", async () => {
  await using m = await Machine.keeping();
  assert.throws(() => m.launch("true", { env: { BIG: "x".repeat(140_000) } }), {
    name: "Fault",
    message: /cannot start/,
  });
  assert.deepEqual(m.said, []);
  const env = Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [`BIG_${index}`, "x".repeat(100_000)]),
  );
  for (let times = 0; times < 2; times++) {
    const child = m.launch("echo ${#BIG_11}", { env });
    assert.deepEqual(await child.end(), { code: 0 });
    assert.equal(child.stdout, "100000\n");
  }
  assert.equal(m.said.length, 1);
  assert.match(m.said[0]!, /more than 1 MiB/);
});

Deno.test("launch() starts without a keeper where its file can't be written, and says so once", async () => {
  await using m = await Machine.keeping();
  Deno.renameSync(m.folders.keepers, `${m.folders.keepers}.away`);
  for (let times = 0; times < 2; times++) assert.deepEqual(await m.launch("exit 3").end(), { code: 3 });
  assert.equal(
    m.said.filter((text) => text.startsWith("runs do not outlive this daemon for now: cannot write")).length,
    1,
  );
  Deno.renameSync(`${m.folders.keepers}.away`, m.folders.keepers);
});

Deno.test("A keeper says that it can't enter the run's folder, and starts nothing then", () => {
  const folder = Deno.makeTempDirSync({ prefix: "svc-keeper-" });
  try {
    const file = `${folder}/RUN`;
    const order = {
      runId: "RUN",
      file,
      bell: `${folder}/bell`,
      setsid: "/usr/bin/setsid",
      env: undefined,
      inherits: false,
    };
    const rest = { cwd: `${folder}/none`, restore: "", become: `touch ${folder}/begun`, variables: {} };
    const text = keeperText({ runId: "RUN", nonce: "n", isLong: true }, {
      about: "",
      script: keeperScript({ ...order, ...rest }).replace(
        "while :; do kill -STOP",
        "exit 0; while :; do kill -STOP",
      ),
    });
    Deno.writeTextFileSync(file, text);
    const { success } = new Deno.Command("/bin/sh", { args: [file], clearEnv: true, stdout: "piped" })
      .outputSync();
    assert.ok(success);
    const { record } = read(file);
    assert.deepEqual([record.isShutOut, record.end], [true, 125]);
    assert.match(endOfRecord(record, undefined).failure!, /working_dir/);
    assert.equal(
      Deno.readTextFileSync(file).slice(128),
      text.slice(128),
      "nothing but the record was written",
    );
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["RUN"]);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
