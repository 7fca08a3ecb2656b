import assert from "node:assert/strict";
import { startDaemonProcess } from "../support/daemon_process.ts";
import { svc as call } from "../support/svc_process.ts";

const config = `
[daemon]
max_parallel_runs = 1
[tasks.first]
run = "exec sleep 600 # of-the-script"
env = { LEVEL = "of-the-environment" }
secrets = { TOKEN = "of-the-secret" }
[tasks.second]
run = "true"
[services.web]
run = "exec sleep 600"
`;

Deno.test("svc debug shows the insides of a daemon to its user, and the trace each step, and neither what is secret", async () => {
  const daemon = await startDaemonProcess(config, { args: ["--log-level", "trace"] });
  const { folder, url } = daemon;
  const svc = (...args: string[]) => call(args, { cwd: folder });
  try {
    assert.equal((await svc("run", "first", "--detach")).code, 0);
    assert.equal((await svc("run", "second", "--detach")).code, 0);
    const { code, stdout, stderr } = await svc("debug", "--json");
    assert.equal(code, 0, stderr);
    const view = JSON.parse(stdout);
    const of = (name: string) => view.runs.find((run: { task_name: string }) => run.task_name === name);
    assert.equal(of("first").phase, "executing");
    assert.equal(of("first").machine.phase, "running");
    assert.ok(Deno.statSync(`/proc/${of("first").machine.pid}`).isDirectory);
    assert.equal(of("second").phase, "in_line");
    assert.deepEqual(view.line.waiting.map(({ hold }: { hold: string }) => hold), ["limit"]);
    assert.equal(view.instances[0].run_id, of("web").run_id);
    assert.equal(view.pid, daemon.pid);
    assert.equal(view.versions.deno, Deno.version.deno);
    assert.ok(view.memory.rss > view.memory.heap_used);
    const listeners = Object.fromEntries(
      view.connections.map(({ listener, open }: { listener: string; open: number }) => [listener, open]),
    );
    assert.deepEqual(Object.keys(listeners), [new URL(url).host, "the control socket"]);
    assert.ok(listeners["the control socket"] >= 1);

    const text = await svc("debug");
    assert.match(text.stdout, /^line {6}1 waiting, 1 started \(1 at most\)$/m);
    const refused = await svc("debug", "--url", url);
    assert.deepEqual([refused.code, refused.stdout], [1, ""]);
    assert.match(refused.stderr, /over the control socket only/);

    assert.equal((await svc("stop", "first")).code, 0);
    await daemon.end();
    assert.match(
      daemon.log(),
      /trace step of a run unit=first run=\w{26} before=running event="stop\(stopped\)" after=stopping want=stopped /,
    );
    assert.match(daemon.log(), /trace step of an instance unit=web instance=0 before=stopped event=start /);
    assert.ok(!/of-the-/.test(stdout + text.stdout + daemon.log()));
  } finally {
    await daemon.end();
    await Deno.remove(folder, { recursive: true });
  }
});
