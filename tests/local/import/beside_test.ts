/** Files that an import finds by those that it is given. */

import assert from "node:assert/strict";
import { runImport } from "../../../src/local/import/run_import.ts";
import { inFolder, write } from "../../support/folder.ts";

async function importIn(folder: string, kind: string, file: string): ReturnType<typeof runImport> {
  write(`${folder}/svc.toml`, "");
  return await runImport({ config: `${folder}/svc.toml` }, {
    kind,
    files: [`${folder}/${file}`],
    system: false,
    write: false,
  });
}

Deno.test("runImport() follows the includes of supervisord, one folder with a blank in its name too", async () => {
  await inFolder(async (folder) => {
    write(`${folder}/a [b] c/super.conf`, "[include]\nfiles = conf.d/*.conf\n[program:a]\ncommand=/bin/a\n");
    write(`${folder}/a [b] c/conf.d/b.conf`, "[program:b]\ncommand=/bin/b\n");
    write(`${folder}/a [b] c/conf.d/c.off`, "[program:c]\ncommand=/bin/c\n");
    const { imported } = await importIn(folder, "supervisord", "a [b] c/super.conf");
    assert.deepEqual(imported.units.map(({ name }) => name), ["a", "b"]);
  });
});

Deno.test("runImport() finds the drop-ins of a unit of systemd, and the service of a timer", async () => {
  await inFolder(async (folder) => {
    write(`${folder}/units/a@x.timer`, "[Timer]\nOnCalendar=daily\n");
    write(`${folder}/units/a@x.service`, "[Service]\nExecStart=/bin/a %i\n");
    write(`${folder}/units/a@x.service.d/user.conf`, "[Service]\nUser=nobody\n");
    write(`${folder}/units/a@x.timer.d/more.conf`, "[Timer]\nPersistent=yes\n");
    const { imported } = await importIn(folder, "systemd", "units/a@x.timer");
    const [{ settings, kind }] = imported.units as [typeof imported.units[number]];
    assert.deepEqual(
      [kind, settings["cron"], settings["catch_up"], settings["user"], settings["run"]],
      ["task", "0 0 * * *", "latest", "nobody", "exec /bin/a x"],
    );
  });
});
