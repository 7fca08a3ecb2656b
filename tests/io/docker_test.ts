import assert from "node:assert/strict";
import { docker } from "../../src/io/docker.ts";
import { inFolder } from "../support/folder.ts";

/** Asks a docker that is a shell script. */
async function withDocker<T>(
  script: string,
  work: (environment: Record<string, string>) => Promise<T>,
): Promise<T> {
  let result: T;
  const before = Deno.env.get("PATH")!;
  await inFolder(async (folder) => {
    Deno.writeTextFileSync(`${folder}/docker`, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    // The program itself is looked for in the daemon's own path.
    Deno.env.set("PATH", `${folder}:${before}`);
    try {
      result = await work({ A: "1" });
    } finally {
      Deno.env.set("PATH", before);
    }
  });
  return result!;
}

Deno.test("docker.remove() tells which containers are left, and why", async () => {
  const remove = (script: string) =>
    withDocker(script, (env) => docker.remove(["A", "B"], { environment: env }));
  const none = { left: [], trouble: "" };
  assert.deepEqual(await remove("exit 0"), none);
  assert.deepEqual(await remove('echo "Error: No such container: svc-A" >&2; echo svc-B; exit 1'), none);
  assert.deepEqual(
    await remove('echo svc-A; echo "removal of container svc-B is already in progress" >&2; exit 1'),
    none,
  );
  assert.deepEqual(await remove("echo svc-A; echo 'device or resource busy' >&2; exit 1"), {
    left: ["B"],
    trouble: "cannot remove container svc-B: device or resource busy",
  });
  assert.deepEqual(await remove("kill -9 $$"), {
    left: ["A", "B"],
    trouble: "cannot remove container svc-A, svc-B: docker ended without a word",
  });
});

Deno.test("docker.signal() is sure only where docker names the container", async () => {
  const signal = (script: string) =>
    withDocker(script, (environment) => docker.signal("A", { signal: "SIGTERM", environment }));
  assert.equal(await signal('[ "$*" = "kill --signal SIGTERM svc-A" ] && echo svc-A'), true);
  assert.equal(await signal("exit 0"), false);
  assert.equal(await signal("exit 1"), false);
});

Deno.test({
  name: "docker is asked as the unit's user, with none of the unit's variables but those for docker",
  ignore: Deno.uid() !== 0,
  fn: async () => {
    await withDocker(
      'echo "svc-A $(id -un) $HOME $PATH $DOCKER_HOST [$LD_PRELOAD$SVC_X]" >&2; exit 1',
      async () => {
        const environment = {
          PATH: "/nowhere",
          LD_PRELOAD: "/none.so",
          SVC_X: "1",
          DOCKER_HOST: "unix:///x",
        };
        Deno.chmodSync(Deno.env.get("PATH")!.split(":")[0]!, 0o755);
        const { trouble } = await docker.remove(["A"], { environment, user: "nobody" });
        assert.match(trouble, /svc-A nobody \/\S+ \/usr\/bin:\S+ unix:\/\/\/x \[\]$/);
        const asDaemon = await docker.remove(["A"], { environment });
        assert.match(asDaemon.trouble, /svc-A root \S+ \S*(?<!\/nowhere) unix:\/\/\/x \[\]$/);
      },
    );
  },
});

Deno.test({
  name: "docker is not taken from a folder that others may write",
  ignore: Deno.uid() !== 0,
  fn: async () => {
    await withDocker("echo svc-A", async () => {
      const folder = Deno.env.get("PATH")!.split(":")[0]!;
      const other = Deno.env.get("PATH")!.split(":").slice(1).join(":");
      Deno.chownSync(folder, 12345, 12345);
      Deno.env.set("PATH", folder);
      assert.equal(await docker.signal("A", { signal: "SIGTERM", environment: { PATH: other } }), false);
    });
  },
});
