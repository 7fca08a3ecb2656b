import assert from "node:assert/strict";
import { inFolder, write } from "../support/folder.ts";
import { needs } from "../support/needs.ts";
import { svcShell } from "../support/svc_process.ts";

const root = { ignore: !needs.root.isThere };

/** What busybox has by the name of setpriv. */
const poorSetpriv = '#!/bin/sh\necho "setpriv: unrecognized option: reuid" >&2\nexit 1\n';

Deno.test(
  "a setpriv that knows no users is the reason of what can't start, and told before",
  root,
  () =>
    inFolder(async (folder) => {
      write(`${folder}/svc.toml`, '[tasks.his]\nrun = "id -un"\nuser = "nobody"\nworking_dir = "/"\n');
      Deno.writeTextFileSync(`${folder}/setpriv`, poorSetpriv, { mode: 0o755 });
      const poorly = (words: string) =>
        svcShell(`exec unshare -m /bin/sh -c 'mount --bind setpriv "$(command -v setpriv)"; ${words}'`, {
          cwd: folder,
        });
      const why =
        /"[^"]+\/setpriv" knows no users \(it is busybox's, or very old\): install setpriv of util-linux/;
      const run = await poorly("exec $SVC run his --standalone");
      assert.equal(run.code, 1, run.stderr);
      assert.match(run.stderr, /cannot start as user "nobody": /);
      assert.match(run.stderr, why);
      const { findings } = JSON.parse((await poorly("exec $SVC doctor --json")).stdout) as {
        findings: { check: string; level: string; seen: string; advice?: string }[];
      };
      const { level, seen, advice } = findings.find(({ check }) => check === "units")!;
      assert.equal(level, "bad");
      assert.match(`${seen}: ${advice}`, /knows no users .* \(user of his\): install setpriv of util-linux$/);
      // It ends by itself where its port can't be had, after it has looked.
      const daemon = await poorly("exec $SVC daemon --host 192.0.2.1 -p 0");
      assert.equal(daemon.code, 1);
      assert.match(daemon.stderr, /warn +no unit with a "user" can start: /);
      assert.match(daemon.stderr, why);
    }),
);

Deno.test(
  "a daemon that is process 1 says what that costs, and the cure",
  root,
  () =>
    inFolder(async (folder) => {
      write(`${folder}/svc.toml`, "");
      const { stderr } = await svcShell(
        "exec unshare --pid --fork --mount-proc $SVC daemon --host 192.0.2.1 -p 0",
        { cwd: folder },
      );
      assert.match(
        stderr,
        /warn +this daemon is process 1 and takes in no orphans: .*; start the container with an init, as docker run --init does\n/,
      );
      const beside = await svcShell("exec $SVC daemon --host 192.0.2.1 -p 0", { cwd: folder });
      assert.doesNotMatch(beside.stderr, /process 1/);
    }),
);
