import assert from "node:assert/strict";
import { startDaemonProcess, svcCommand } from "../support/daemon_process.ts";
import { inFolder } from "../support/folder.ts";
import { type Called, svc, svcShell } from "../support/svc_process.ts";

/** A daemon's control socket that answers as a test wants it. */
async function atSocket(
  answer: (path: string) => Response,
  work: (call: (line: string) => Promise<Called>) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    const path = `${folder}/other.sock`;
    await using _ = Deno.serve({ path, onListen() {} }, (request) => answer(new URL(request.url).pathname));
    await work((line) => svc([...line.split(" "), "--socket", path], { cwd: folder }));
  });
}

function notFound(path: string): Response {
  const body = { title: "Not Found", status: 404, detail: `no such path "${path}"` };
  return Response.json(body, { status: 404, headers: { "content-type": "application/problem+json" } });
}

const asking = [
  "list",
  "runs",
  "logs a",
  "search x",
  "next a",
  "run a",
  "stop a",
  "reload",
  "drain --no-wait",
];

Deno.test("svc names both versions where the daemon does not know what it is asked for, and exits with 1", async () => {
  const newer = (path: string): Response =>
    path === "/api/daemon" ? Response.json({ version: "3.0.0", tasks: [{ name: "a" }] }) : notFound(path);
  await atSocket(newer, async (call) => {
    for (const line of asking) {
      const { code, stdout, stderr } = await call(line);
      assert.deepEqual([code, stdout], [1, ""], line);
      assert.match(
        stderr,
        /^svc: svc 3\.0\.0 at \S+ is not what this svc \S+ understands \(no such path "[^"]+"\): run both at the same version\n$/,
        line,
      );
    }
  });
});

Deno.test("svc tells an answer in another shape from one that says nothing", async () => {
  const older = (path: string): Response =>
    Response.json(path === "/api/daemon" ? { version: "0.0.1", tasks: [{ name: "a" }] } : { ok: true });
  await atSocket(older, async (call) => {
    for (const line of asking.filter((one) => one !== "stop a")) {
      const { code, stdout, stderr } = await call(line);
      assert.deepEqual([code, stdout], [1, ""], line);
      assert.match(stderr, /^svc: svc 0\.0\.1 at [^\n]* run both at the same version\n$/, line);
    }
  });
});

Deno.test("svc exits with 3 at a socket that nobody listens at, whatever stands there", async () => {
  await inFolder(async (folder) => {
    Deno.listen({ transport: "unix", path: `${folder}/stale.sock` }).close();
    // Some systems take the file away with its listener.
    if (![...Deno.readDirSync(folder)].length) Deno.writeTextFileSync(`${folder}/stale.sock`, "");
    Deno.writeTextFileSync(`${folder}/file`, "");
    for (const name of ["stale.sock", "file", "none", "."]) {
      const { code, stdout, stderr } = await svc(["list", "--socket", `${folder}/${name}`]);
      assert.deepEqual([code, stdout], [3, ""], name);
      assert.match(stderr, /^svc: no daemon answers at control socket "[^"\n]+": start one with [^\n]*\n$/);
    }
  });
});

const isRoot = Deno.uid() === 0;

Deno.test(
  "svc says that a control socket is another user's, and exits with 3",
  { ignore: !isRoot },
  async () => {
    await inFolder(async (folder) => {
      const path = `${folder}/other.sock`;
      await using _ = Deno.serve({ path, onListen() {} }, () => Response.json({}));
      Deno.chownSync(path, 65_534, 65_534);
      Deno.chmodSync(path, 0o600);
      // Root that may not do everything stands before it as any user does, and can read the program.
      const { code, stdout, stderr } = await svcShell(
        `setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-dac_override,-dac_read_search \\
        $SVC list --socket ${path}`,
      );
      assert.deepEqual([code, stdout], [3, ""], stderr);
      assert.match(
        stderr,
        /^svc: warning: control socket "[^\n]*": user 65534 owns it, [^\n]*\nsvc: not allowed to use the control socket of [^\n]*: run svc as the daemon's user or as root, /,
      );
    });
  },
);

Deno.test(
  "svc says that the folder that it is called in is closed to its user",
  { ignore: !isRoot },
  async () => {
    await inFolder(async (folder) => {
      Deno.mkdirSync(`${folder}/his`, { mode: 0o700 });
      Deno.chownSync(`${folder}/his`, 65_534, 65_534);
      for (const words of ["up", "list", "daemon", "validate", "service install --user"]) {
        const { code, stdout, stderr } = await svcShell(
          `cd ${folder}/his && exec setpriv --bounding-set=-dac_override,-dac_read_search \
          --inh-caps=-dac_override,-dac_read_search $SVC ${words}`,
        );
        assert.deepEqual([code, stdout], [1, ""], stderr);
        const said =
          `svc: cannot look for a configuration in "${folder}/his": this user may not enter that folder; ` +
          "name a file with -c, or go to a folder of your own\n";
        assert.equal(stderr, said, words);
      }
    });
  },
);

const config = `
[tasks.a-task-with-a-long-name]
run = "exit 3"
cron = "0 2 * * *"
[services.web]
run = "while :; do echo tick; sleep 0.1; done"
[services.quiet]
run = "echo once; exec sleep 600"
`;

Deno.test("svc fits its surroundings: a reader that leaves, a narrow, a dumb and a nameless terminal, NO_COLOR", async (t) => {
  const daemon = await startDaemonProcess(config);
  const cwd = daemon.folder;
  /** Runs svc in a terminal of its own; `stty` gives it a size. */
  const screen = async (words: string, stty: string, env: Record<string, string> = {}): Promise<string> => {
    const line = `${stty}; ${svcCommand().map((word) => `'${word}'`).join(" ")} ${words}`;
    const child = new Deno.Command("script", {
      args: ["-qec", line, "/dev/null"],
      cwd,
      env: {
        LC_ALL: "C.UTF-8",
        TERM: "xterm",
        NO_COLOR: "",
        SHELL: "/bin/sh",
        SVC_URL: "",
        SVC_SOCKET: "",
        ...env,
      },
      stdin: "null",
      stderr: "null",
      signal: AbortSignal.timeout(30_000),
    });
    return new TextDecoder().decode((await child.output()).stdout).replaceAll("\r", "");
  };
  try {
    await svc(["run", "a-task-with-a-long-name"], { cwd });

    await t.step("logs -f ends with its reader", async () => {
      for (const how of ["", " --json", " --timestamps"]) {
        const line = `{ $SVC logs web -f${how}; echo "code $?" >&2; } | head -n 1`;
        const { stdout, stderr } = await svcShell(line, { cwd });
        assert.match(stdout, /^[^\n]*tick[^\n]*\n$/);
        assert.equal(stderr, "code 0\n");
      }
    });

    await t.step(
      "logs -f of a unit that prints no more ends with its reader, and leaves nothing",
      async () => {
        const line = '{ $SVC logs quiet -f; echo "code $?" >&2; } | head -n 1';
        const { stdout, stderr } = await svcShell(line, { cwd });
        assert.equal(stdout, "once\n");
        assert.equal(stderr, "code 0\n");
      },
    );

    await t.step("tables fit 20 columns with whole words", async () => {
      const plain = { NO_COLOR: "1" };
      for (const words of ["list", "runs", "next", "next a-task-with-a-long-name"]) {
        const text = await screen(words, "stty cols 20", plain);
        for (const line of text.split("\n")) assert.ok([...line].length <= 20, `${words}: ${line}`);
      }
      assert.match(
        await screen("runs --task web", "stty cols 20", plain),
        /^ {2}UNIT\n◐ web\n$/,
      );
      assert.match(await screen("runs --task web", "stty cols 34", plain), /^◐ \w{26} {2}web\n$/m);
      assert.match(
        await screen("next --count 1", "stty cols 24", plain),
        /^a-task-wi\S+… +(now|in \d+ \w+( \d+ m)?)\n$/,
      );
    });

    await t.step("a terminal without a size is taken for one of 80 columns", async () => {
      assert.match(await screen("list", "stty cols 0"), /UNIT.*STATE.*NEXT/);
    });

    await t.step("there are colours on a terminal only, unless it is dumb or NO_COLOR says so", async () => {
      assert.ok((await screen("list", "stty cols 80")).includes("\x1b["));
      for (const env of [{ TERM: "dumb" }, { NO_COLOR: "1" }]) {
        for (const words of ["list", "status", "run a-task-with-a-long-name", "lst"]) {
          assert.ok(!(await screen(words, "stty cols 80", env)).includes("\x1b"), words);
        }
      }
      assert.ok(
        !(await svcShell("$SVC list", { cwd, env: { NO_COLOR: "", TERM: "xterm" } })).stdout.includes("\x1b"),
      );
    });
  } finally {
    await daemon.end();
    await Deno.remove(cwd, { recursive: true });
  }
});
