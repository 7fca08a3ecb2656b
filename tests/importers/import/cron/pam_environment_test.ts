import assert from "node:assert/strict";
import { importCron } from "../../../../src/importers/import/cron/import_cron.ts";
import { importAs, type Outcome, told } from "../corpus.ts";

const debian: Record<string, string> = {
  "/etc/pam.d/cron": "@include common-auth\nsession       required   pam_env.so\n" +
    "session       required   pam_env.so envfile=/etc/default/locale\n",
  "/etc/environment": 'PATH=/opt/bin\n# proxies\nexport http_proxy="http://p:3128" # ours\nUSER=x\n',
  "/etc/default/locale": "LANG=de_DE.UTF-8\nLC_ALL='C'\n",
};

function importTable(
  path: string,
  texts: Record<string, string>,
  table = "LC_ALL=POSIX\n0 1 * * * root /x\n",
): Outcome {
  return importAs(importCron, table, {
    path,
    context: { files: (name) => texts[name] === undefined ? [] : [{ path: name, text: texts[name] }] },
  });
}

Deno.test("importCron() gives to jobs of this machine what its cron gives them by PAM, beneath the table's own", () => {
  const outcome = importTable("/etc/cron.d/x", debian);
  assert.deepEqual({ ...outcome.task(2).env }, {
    http_proxy: "http://p:3128",
    LANG: "de_DE.UTF-8",
    LC_ALL: "POSIX",
  });
  const entry = outcome.imported.entries.at(-1)!;
  assert.deepEqual([entry.file, entry.what], [
    "/etc/environment, /etc/default/locale",
    "http_proxy, LANG, LC_ALL",
  ]);
  assert.match(told(entry), /env of each task/);
});

Deno.test("importCron() tells of variables of PAM where a table may be another machine's, or nothing is known", () => {
  const piped = importTable("-", debian, "0 1 * * * /x\n");
  assert.deepEqual({ ...piped.task(1).env }, {});
  assert.match(told(piped.imported.entries.at(-1)!), /the tasks don't have them/);
  const unknown = importTable("-", {}, "0 1 * * * /x\n");
  assert.match(told(unknown.imported.entries.at(-1)!), /\/etc\/environment \(proxies\).*LANG/);
  const none = importTable(
    "-",
    { "/etc/pam.d/cron": "session required pam_env.so readenv=0\n" },
    "0 1 * * * /x\n",
  );
  assert.equal(none.imported.entries.length, 1);
});
