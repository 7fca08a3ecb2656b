import assert from "node:assert/strict";
import { startDaemonProcess } from "../support/daemon_process.ts";
import { endKept } from "../support/kept.ts";
import { needs } from "../support/needs.ts";

const page = await Deno.readTextFile(new URL("../../docs/http.md", import.meta.url));

const token = "0123456789abcdef0123456789abcdef";
const password = "correct horse battery staple";

const config = `
[tasks.backup]
run = 'echo "to $TARGET"'
cron = "0 2 * * *"
hook_tokens = [{ token = "${token}", allow = ["run", "start", "stop", "restart"] }]

[[tasks.backup.params]]
env = "TARGET"
default = "/srv"

[tasks.broken]
run = "exit 1"

[services.web]
run = "sleep 300"
hook_tokens = [{ token = "${token}", allow = ["restart"] }]

[notifiers.ops]
type = "webhook"
url = "http://127.0.0.1:9/hook"
`;

/** The examples of the page: each curl command, with the status that a comment behind it announces. */
function examples(): { command: string; status: number | undefined }[] {
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block!);
  return blocks.flatMap((block) =>
    block.replaceAll("\\\n", " ").split("\n").filter((line) => line.includes("curl")).map((line) => {
      const status = /# (\d{3})\b/.exec(line)?.[1];
      return { command: line, status: status === undefined ? undefined : Number(status) };
    })
  );
}

Deno.test(
  "every example of docs/http.md runs against a daemon",
  { ignore: !needs.curl.isThere },
  async () => {
    assert.ok(examples().length > 25);
    let daemon = await startDaemonProcess(config, { env: { SVC_PASSWORD: password } });
    const socket = `${daemon.dataDir}/svc.sock`;
    try {
      const made = await sh(
        `curl -s --unix-socket "$SOCKET" -X POST "http://svc/api/tasks/backup/run?wait=true"`,
        {
          SOCKET: socket,
        },
      );
      await sh(`curl --unix-socket "$SOCKET" -X POST "http://svc/api/tasks/broken/run?wait=true"`, {
        SOCKET: socket,
      });
      const bell = await sh(`curl --unix-socket "$SOCKET" http://svc/api/notifications`, { SOCKET: socket });
      const env: Record<string, string> = {
        NOTICE: JSON.parse(bell.out).items[0].id,
        SOCKET: socket,
        URL: daemon.url,
        RUN: JSON.parse(made.out).id,
        HOOK_TOKEN: token,
        PASSWORD: password,
        OUT: `${daemon.folder}/out`,
      };
      for (const { command, status } of examples()) {
        if (command.includes("/daemon/handover")) {
          // The example before has ended it.
          assert.equal(await daemon.ended(), 0);
          daemon = await startDaemonProcess(config, {
            folder: daemon.folder,
            env: { SVC_PASSWORD: password },
          });
        }
        const { out, err, status: got } = await sh(command, env);
        if (status === undefined) assert.ok(got >= 200 && got < 400, `${command}\n${out}\n${err}`);
        else assert.equal(got, status, `${command}\n${out}`);
      }
    } finally {
      await daemon.end();
      endKept(daemon.dataDir);
      await Deno.remove(daemon.folder, { recursive: true });
    }
  },
);

Deno.test("docs/http.md has an example of every route", async () => {
  const daemon = await startDaemonProcess(config, { env: { SVC_PASSWORD: password } });
  using client = Deno.createHttpClient({
    proxy: { transport: "unix", path: `${daemon.dataDir}/svc.sock` },
  });
  const { paths } = await (await fetch("http://svc/openapi.json", { client })).json();
  await daemon.end();
  await Deno.remove(daemon.folder, { recursive: true });
  const shown = examples().map(({ command }) => ({
    method: / -X (\w+)/.exec(command)?.[1] ??
      (/ (?:-d|--data|--json) /.test(command) && !/ -G /.test(command) ? "POST" : "GET"),
    path: /(?:http:\/\/svc|\$URL)([^\s"'?]*)/.exec(command)?.[1] ?? "",
  }));
  const missing = Object.entries(paths as Record<string, Record<string, unknown>>).flatMap((
    [path, item],
  ) => {
    const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);
    return Object.keys(item).map((method) => method.toUpperCase()).filter((method) =>
      !shown.some((one) => one.method === method && pattern.test(one.path))
    ).map((method) => `${method} ${path}`);
  });
  assert.deepEqual(missing, []);
});

/** Runs an example as a reader would; a stream (`-N`) is left after two seconds. */
async function sh(
  command: string,
  env: Record<string, string>,
): Promise<{ out: string; err: string; status: number }> {
  const most = / -\w*N\w* /.test(command) ? 2 : 20;
  const script =
    `curl() { command curl -sS --max-time ${most} -w '\\nstatus %{http_code}' "$@"; }\n${command}`;
  const { stdout, stderr } = await new Deno.Command("sh", { args: ["-c", script], env, stdin: "null" })
    .output();
  const text = new TextDecoder().decode(stdout);
  const end = /\nstatus (\d+)$/.exec(text);
  return { out: text.slice(0, end?.index), err: new TextDecoder().decode(stderr), status: Number(end?.[1]) };
}
