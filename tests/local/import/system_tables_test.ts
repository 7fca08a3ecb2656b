import assert from "node:assert/strict";
import { addOwnTable, readSystemTables } from "../../../src/local/import/system_tables.ts";
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

Deno.test("addOwnTable() asks crontab for the table that only it may show, and takes none for none", async () => {
  await inFolder(async (folder) => {
    const program = `${folder}/crontab`;
    const sources = readSystemTables({ system: [], users: [] });
    await addOwnTable(sources, { user: "ada", program });
    write(program, "#!/bin/sh\necho no crontab for ada >&2\nexit 1\n");
    Deno.chmodSync(program, 0o755);
    await addOwnTable(sources, { user: "ada", program });
    assert.deepEqual(sources.files, []);
    write(program, '#!/bin/sh\n[ "$*" = -l ] && echo "@daily true"\n');
    await addOwnTable(sources, { user: "ada", program });
    assert.deepEqual(sources.files, [{ path: "/var/spool/cron/crontabs/ada", text: "@daily true\n" }]);
  });
});
