import assert from "node:assert/strict";
import type { Locals } from "../../src/cli/locals.ts";
import { renderValidation } from "../../src/local/validate.ts";
import { loadAsRoot } from "../support/load_as_root.ts";
import { everythingPath } from "../importers/export/everything.ts";
import { inFolder, write } from "../support/folder.ts";
import { matchGolden } from "./golden.ts";
import { call } from "./memory.ts";

/** The commands of a machine that has this configuration. */
function localsOf(path: string): Partial<Locals> {
  return {
    findConfig: () => Promise.resolve(path),
    readConfig: (path) => Promise.resolve(loadAsRoot(path)),
    renderValidation: (validation) => Promise.resolve(renderValidation(validation)),
  };
}

/** Runs `svc export` on a configuration text. */
async function exportOf(folder: string, words: string, text = '[tasks.a]\ncron = "@daily"\nrun = "true"\n') {
  const path = `${folder}/svc.toml`;
  write(path, text);
  return await call(["export", ...words.split(" ")], { locals: localsOf(path) });
}

const modeOf = (path: string) => Deno.statSync(path).mode! & 0o777;

for (const [kind, code] of [["systemd", 0], ["kubernetes", 1], ["nomad", 1]] as const) {
  Deno.test(`svc export ${kind} writes and tells of everything as it always has`, async () => {
    const { stdout, stderr, ...rest } = await call(["export", kind], { locals: localsOf(everythingPath) });
    assert.equal(rest.code, code);
    const here = everythingPath.replace(/\/[^/]+$/, "");
    matchGolden(
      `export_${kind}.txt`,
      `${stdout}\n===== account =====\n${stderr}`.replaceAll(here, "/etc/svc"),
    );
  });
}

Deno.test("svc export writes only the units that are named", async () => {
  const { stdout } = await call(["export", "systemd", "d*", "every"], { locals: localsOf(everythingPath) });
  assert.deepEqual([...stdout.matchAll(/^# (\S+),/gm)].map(([, name]) => name), [
    "db.service",
    "every.service",
    "every.timer",
  ]);
  const unknown = await call(["export", "systemd", "evry"], { locals: localsOf(everythingPath) });
  assert.deepEqual([unknown.code, unknown.stderr], [1, 'svc: no unit "evry": did you mean "every"?\n']);
});

Deno.test("svc export nomad prints one job so that Nomad reads it as it is", async () => {
  const { stdout } = await call(["export", "nomad", "every"], { locals: localsOf(everythingPath) });
  assert.equal(JSON.parse(stdout).Job.ID, "every");
});

Deno.test("svc export --out writes files, those with secrets for their owner alone, and renews its own", async () => {
  await inFolder(async (folder) => {
    const out = `${folder}/new/out`;
    const text = '[tasks.a]\ncron = "@daily"\nrun = "true"\nsecrets = { TOKEN = "hidden-hidden" }\n';
    for (const [schedule, words] of [["@daily", ""], ["@hourly", " --with-secrets"]]) {
      const { code, stdout } = await exportOf(
        folder,
        `systemd --out ${out}${words}`,
        text.replace("@daily", schedule!),
      );
      assert.equal(code, 0);
      assert.equal(
        stdout,
        ["a.service", "a.timer", `a.secrets.env${words === "" ? ".example" : ""}`].map((name) =>
          `wrote ${out}/${name}\n`
        ).join(""),
      );
    }
    assert.match(Deno.readTextFileSync(`${out}/a.timer`), /OnCalendar=\*-\*-\* \*:00:00 UTC\n/);
    assert.match(Deno.readTextFileSync(`${out}/a.secrets.env`), /^TOKEN="hidden-hidden"$/m);
    assert.deepEqual([modeOf(`${out}/a.timer`), modeOf(`${out}/a.secrets.env`)], [0o644, 0o600]);
    assert.deepEqual([...Deno.readDirSync(out)].map(({ name }) => name).sort(), [
      ".svc-export.json",
      "a.secrets.env",
      "a.secrets.env.example",
      "a.service",
      "a.timer",
    ]);
  });
});

Deno.test("svc export --out keeps what it did not make or what was changed since, all or nothing, unless forced", async () => {
  await inFolder(async (folder) => {
    const out = `${folder}/out`;
    write(`${out}/a.timer`, "mine\n");
    const refused = await exportOf(folder, `systemd --out ${out}`);
    assert.equal(refused.code, 1);
    assert.equal(
      refused.stderr,
      `svc: cannot export to "${out}": "a.timer" there was not made by an export, or was changed since; name another folder, or add --force\n`,
    );
    assert.deepEqual([...Deno.readDirSync(out)].map(({ name }) => name), ["a.timer"]);
    assert.equal((await exportOf(folder, `systemd --out ${out} --force`)).code, 0);
    assert.match(Deno.readTextFileSync(`${out}/a.timer`), /OnCalendar/);
    assert.equal((await exportOf(folder, `systemd --out ${out}`)).code, 0);
    Deno.writeTextFileSync(`${out}/a.service`, "# by hand\n", { append: true });
    assert.equal((await exportOf(folder, `systemd --out ${out}`)).code, 1);
    assert.match(Deno.readTextFileSync(`${out}/a.service`), /by hand/);
    Deno.writeTextFileSync(`${out}/.svc-export.json`, "{ no record");
    assert.equal((await exportOf(folder, `systemd --out ${out}`)).code, 1);
    assert.equal((await exportOf(folder, `systemd --out ${out} --force`)).code, 0);
    assert.equal((await exportOf(folder, `systemd --out ${folder}/svc.toml`)).code, 1);
  });
});

Deno.test("svc export tells the errors of a configuration, and exports nothing of it", async () => {
  await inFolder(async (folder) => {
    const out = `${folder}/out`;
    const { code, stdout, stderr } = await exportOf(folder, `systemd --out ${out}`, "[tasks.a]\nrun = 1\n");
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(
      stderr,
      /svc\.toml:2:\d+: tasks\.a\.run: .*\nsvc: cannot export ".*svc\.toml": mend its errors first\n$/,
    );
    assert.throws(() => Deno.statSync(out), Deno.errors.NotFound);
    assert.match((await exportOf(folder, "systemd", "[daemon]\n")).stderr, /it has no units\n$/);
  });
});

Deno.test("svc export refuses words that make no sense together", async () => {
  await inFolder(async (folder) => {
    for (const words of ["docker", "systemd --force", "systemd --image app:1", ""]) {
      assert.equal((await exportOf(folder, words)).code, 2, words);
    }
  });
});
