import assert from "node:assert/strict";
import { isSnap } from "../../src/tui/browser.ts";
import { launchPage, writeLaunchFile } from "../../src/tui/launch_file.ts";
import { inFolder } from "../support/folder.ts";

const url = "http://127.0.0.1:8420/api/auth/launch-ticket?ticket=secret&redirect=/";

Deno.test("openBrowser() puts no ticket on a command line: the browser gets a file that nobody else can read", async () => {
  const folder = Deno.makeTempDirSync({ prefix: "svc-test-" });
  const log = `${folder}/args`;
  Deno.writeTextFileSync(
    `${folder}/xdg-open`,
    `#!/bin/sh\necho "$@" > ${log}\nstat -c '%a %U' "\${1#file://}" >> ${log}\ncat "\${1#file://}" >> ${log}\n`,
    { mode: 0o755 },
  );
  const code = `import { openBrowser } from ${
    JSON.stringify(import.meta.resolve("../../src/tui/browser.ts"))
  };
    console.log(await openBrowser(${JSON.stringify(url)})); Deno.exit(0);`;
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", code],
    env: { DISPLAY: ":0", PATH: `${folder}:/usr/bin:/bin`, XDG_RUNTIME_DIR: folder, TMPDIR: folder },
  }).output();
  try {
    assert.equal(new TextDecoder().decode(stdout), "true\n");
    const [args = "", owner = "", ...page] = Deno.readTextFileSync(log).split("\n");
    assert.match(args, /^file:\/\/\S+\/svc-open-\w+\/open\.html$/);
    assert.match(owner, /^600 /);
    assert.equal(page.join("\n").trim(), launchPage(url).trim());
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("writeLaunchFile() uses the runtime folder where that is private, and is removed in the end", async () => {
  await inFolder(async (folder) => {
    const runtimeDir = `${folder}/run`;
    Deno.mkdirSync(runtimeDir, { mode: 0o700 });
    const inside = await writeLaunchFile(url, { life: 60, runtimeDir });
    assert.ok(inside.address.startsWith(`file://${runtimeDir}/svc-open-`));
    assert.equal(Deno.statSync(new URL(inside.address)).mode! & 0o777, 0o600);
    assert.equal(Deno.statSync(new URL(".", inside.address)).mode! & 0o777, 0o700);
    inside.remove();
    assert.deepEqual([...Deno.readDirSync(runtimeDir)], []);

    Deno.chmodSync(runtimeDir, 0o755);
    Deno.symlinkSync(runtimeDir, `${folder}/link`);
    for (const other of [runtimeDir, `${folder}/link`, `${folder}/none`, undefined]) {
      const outside = await writeLaunchFile(url, { life: 0, runtimeDir: other });
      assert.ok(!outside.address.startsWith(`file://${folder}`));
      while (isThere(new URL(".", outside.address))) await new Promise((resolve) => setTimeout(resolve, 10));
    }
  });
});

function isThere(path: URL): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

Deno.test("launchPage() can't be left by what an address holds", () => {
  assert.doesNotMatch(launchPage(`http://x/"><script>'`).slice(200), /<script|"><s|'/);
});

Deno.test("isSnap() knows the desktop files of snaps, which can't read the file", () => {
  for (const name of ["firefox_firefox.desktop\n", "chromium_chromium.desktop"]) {
    assert.ok(isSnap(name), name);
  }
  for (const name of ["firefox.desktop", "org.mozilla.firefox.desktop", "google-chrome.desktop", ""]) {
    assert.ok(!isSnap(name), name);
  }
});
