import assert from "node:assert/strict";
import { readSystemTables } from "../../../src/local/import/system_tables.ts";
import { inFolder, write } from "../../support/folder.ts";

Deno.test("readSystemTables() reads the tables of the system and of its accounts, and passes over what cron does", async () => {
  await inFolder((folder) => {
    write(`${folder}/crontab`, "# the system\n");
    write(`${folder}/cron.d/package`, "# a package\n");
    write(`${folder}/cron.d/package.dpkg-old`, "# left behind\n");
    write(`${folder}/cron.d/.placeholder`, "");
    write(`${folder}/spool/ada`, "# of Ada\n");
    const { files, unread } = readSystemTables({
      system: [`${folder}/crontab`, `${folder}/cron.d/`, `${folder}/none`],
      users: [`${folder}/spool`, `${folder}/nowhere`],
    });
    assert.deepEqual(files.map(({ path, text }) => [path.slice(folder.length), text]), [
      ["/crontab", "# the system\n"],
      ["/cron.d/package", "# a package\n"],
      ["/spool/ada", "# of Ada\n"],
    ]);
    assert.deepEqual(unread, []);
  });
});

Deno.test("readSystemTables() tells each table that can't be read, and goes on", async () => {
  await inFolder((folder) => {
    write(`${folder}/cron.d/binary`, Uint8Array.of(0));
    write(`${folder}/cron.d/good`, "@daily root true\n");
    const { files, unread } = readSystemTables({ system: [`${folder}/cron.d/`], users: [] });
    assert.deepEqual(files.map(({ path }) => path), [`${folder}/cron.d/good`]);
    assert.deepEqual(unread.map(({ file, fate }) => [file, fate.is]), [[
      `${folder}/cron.d/binary`,
      "refused",
    ]]);
  });
});
