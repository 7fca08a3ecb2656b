import assert from "node:assert/strict";

const root = new URL("../../", import.meta.url).pathname;

/** A folder for PATH with the plain tools and an `npx` that says where it is called, and with what. */
async function withNpx(work: (path: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "svc-readme-" });
  try {
    await Deno.writeTextFile(`${folder}/npx`, '#!/bin/sh\necho "$PWD: $*"\n', { mode: 0o755 });
    for (const tool of ["dirname", "sed"]) await Deno.symlink(`/usr/bin/${tool}`, `${folder}/${tool}`);
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function run(command: string, args: string[], { path, cwd }: { path: string; cwd: string }) {
  const { code, stdout, stderr } = await new Deno.Command(command, {
    args,
    cwd,
    clearEnv: true,
    env: { PATH: path },
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  return { code, out: text(stdout), err: text(stderr) };
}

Deno.test("README's alias leads to the program from the folder in which it is used", () =>
  withNpx(async (path) => {
    const text = await Deno.readTextFile(`${root}README.md`);
    const block = [...text.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, it]) => it!).find((it) =>
      it.includes("alias svc")
    );
    const cwd = await Deno.realPath(root);
    await Deno.mkdir(`${cwd}/dist/demo`, { recursive: true });
    const { code, out, err } = await run("/bin/bash", ["-O", "expand_aliases", "-e", "-c", block!], {
      path,
      cwd,
    });
    assert.equal(code, 0, err);
    const lines = out.trim().split("\n");
    assert.ok(lines.length >= 5, out);
    for (const line of lines) {
      assert.ok(line.startsWith(`${cwd}/dist/demo: -y deno@`), line);
      const [program] = /\/\S+main\.ts/.exec(line.slice(line.indexOf(": "))) ?? [];
      assert.ok(Deno.statSync(program!).isFile, line);
    }
  }));

Deno.test("compile.sh has npm fetch the Deno that it needs, and says so where there is none", () =>
  withNpx(async (path) => {
    const version = /^deno_version=(.+)$/m.exec(await Deno.readTextFile(`${root}.ci/run`))![1];
    const cwd = await Deno.realPath(root);
    const built = await run("/bin/sh", ["../" + cwd.split("/").at(-1) + "/compile.sh", "--target", "t"], {
      path,
      cwd,
    });
    assert.deepEqual(built, {
      code: 0,
      out: `${cwd}: -y -p deno@${version} ./compile.sh --target t\n`,
      err: "",
    });
    await Deno.remove(`${path}/npx`);
    const { code, err } = await run("/bin/sh", ["compile.sh"], { path, cwd });
    assert.equal(code, 1);
    assert.match(
      err,
      /^compile\.sh: there is no deno: install Deno [\d.]+, or Node's npm, which can fetch it\n$/,
    );
  }));
