import assert from "node:assert/strict";
import { inFolder, write } from "../support/folder.ts";
import { svc, svcShell } from "../support/svc_process.ts";

const table = `SHELL=/bin/sh
# Beat
@hourly cat%The beat goes on%
61 * * * * never
`;

Deno.test("svc import takes a crontab from a pipe, and its task does what cron would", async () => {
  await inFolder(async (cwd) => {
    write(`${cwd}/table`, table);
    const { code, stderr } = await svcShell("$SVC import cron <table >svc.toml", { cwd });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^standard input:4: 61 \* \* \* \* never: not taken: minute "61" is over 59$/m);
    const checked = await svc(["validate"], { cwd });
    assert.deepEqual([checked.code, checked.stdout], [0, `${cwd}/svc.toml is valid\n`]);
    const run = await svc(["run", "cat", "--standalone"], { cwd });
    assert.deepEqual([run.code, run.stdout], [0, "The beat goes on\n"]);
  });
});

Deno.test("svc import exits with 1 for what it can't take, and prints no units then", async () => {
  await inFolder(async (cwd) => {
    write(`${cwd}/binary`, Uint8Array.of(1, 0, 2));
    write(`${cwd}/other`, "[tasks.a]\nrun = 'true'\n");
    const lines: [args: string[], said: RegExp][] = [
      [["cron"], /^nothing to import stands there\n$/],
      [["cron", "binary"], /^svc: cannot import ".*binary": it is no text/],
      [["cron", "other"], /other:1: it is no crontab: no line begins with a time; nothing is taken\n$/],
      [["procfile", "."], /it is a folder; name the files in it/],
    ];
    for (const [args, said] of lines) {
      const { code, stdout, stderr } = await svc(["import", ...args], { cwd });
      assert.deepEqual([code, stdout], [1, ""], args.join(" "));
      assert.match(stderr.replace(/^.*experimental feature.*\n/m, ""), said);
    }
  });
});

Deno.test("svc import --write puts units into a file that reload takes in, and writes it but once", async () => {
  await inFolder(async (cwd) => {
    write(`${cwd}/svc.toml`, '[daemon]\ninclude = ["parts/*.toml"]\n\n[tasks.cat]\nrun = "true"\n');
    write(`${cwd}/parts/empty.toml`, "");
    write(`${cwd}/table`, table);
    const first = await svc(["import", "cron", "--write", "table"], { cwd });
    assert.deepEqual([first.code, first.stdout], [0, ""], first.stderr);
    assert.match(first.stderr, /taken as cat-2[^]*wrote .*\/parts\/imported-cron\.toml\n.*includes it/);
    const run = await svc(["run", "cat-2", "--standalone"], { cwd });
    assert.deepEqual([run.code, run.stdout], [0, "The beat goes on\n"]);
    const second = await svc(["import", "cron", "--write", "table"], { cwd });
    assert.deepEqual([second.code, second.stdout], [1, ""]);
    assert.match(second.stderr, /there is something of that name/);
  });
});
