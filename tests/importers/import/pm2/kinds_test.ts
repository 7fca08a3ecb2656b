/** What pm2 7 does with values that are easily taken for something else. */

import assert from "node:assert/strict";
import { importPm2 } from "../../../../src/importers/import/pm2/import_pm2.ts";
import { importAs, type Outcome, told } from "../corpus.ts";
import { received } from "../stub.ts";

function importApp(
  app: string,
  own: { path?: string; exists?: string[]; env?: Record<string, string> } = {},
): Outcome {
  const { path = "/srv/a/ecosystem.config.js", exists, env = {} } = own;
  const text = path.endsWith(".json")
    ? app
    : `const path = require("path");\nmodule.exports = { apps: [${app}] };\n`;
  return importAs(importPm2, text, {
    path,
    env,
    context: exists === undefined ? {} : { exists: (name) => exists.includes(name) },
  });
}

function notesOf({ imported }: Outcome): string {
  return imported.entries.map(told).join("\n");
}

Deno.test("importPm2() takes an empty text for none", () => {
  const { services } = importApp(
    '{ name: "", script: "app.js", exec_interpreter: "", cwd: "", uid: "", namespace: "", instances: "", exec_mode: "", env: { A: "" } }',
  );
  const { name, run, workingDir, user, group, instances, env } = services.get("app")!;
  assert.deepEqual([name, run, workingDir, user, group, instances], [
    "app",
    "exec node app.js",
    "/srv/a",
    undefined,
    "",
    1,
  ]);
  assert.deepEqual(env, { A: "", NODE_APP_INSTANCE: "0" });
});

Deno.test("importPm2() gives each app its number, whatever starts it", () => {
  for (
    const app of [
      'script: "npm", args: "start"',
      'script: "tsx", args: "a.ts"',
      'script: "bash -c x"',
      'script: "a.py"',
    ]
  ) {
    const { services } = importApp(`{ name: "a", ${app} }`);
    assert.equal(services.get("a")?.env["NODE_APP_INSTANCE"], "0", app);
  }
  const named = importApp('{ name: "a", script: "npm", instance_var: "N" }').services.get("a")!;
  assert.deepEqual(named.env, { N: "0" });
});

Deno.test("importPm2() joins paths of which parts are variables, and refuses what only a run knows", () => {
  const env = { HOME: "/home/u" };
  const nvm = importApp(
    '{ name: "a", script: "app.js", interpreter: path.join(process.env.HOME || "/root", ".nvm/bin/node") }',
  ).services.get("a")!;
  assert.deepEqual(received(nvm.run, { env }), ["/home/u/.nvm/bin/node", "app.js"]);
  assert.equal(received(nvm.run, { env: { HOME: "" } })[0], "/root/.nvm/bin/node");
  const cwd = importApp('{ name: "a", script: "app.js", cwd: path.resolve(process.env.HOME, "x", "./y") }', {
    env,
  });
  assert.equal(cwd.services.get("a")?.workingDir, "/home/u/x/y");
  const middle = importApp(
    '{ name: "a", script: path.join(__dirname, "..", process.env.OUT || "dist", "app.js"), interpreter: "none" }',
  ).services.get("a")!;
  assert.deepEqual(received(middle.run), ["/srv/dist/app.js"]);
  for (
    const path of [
      'path.join(process.env.HOME, "..", "x")',
      'path.resolve(__dirname, process.env.OUT || "dist")',
      'path.join(process.env.OUT || "", "x")',
      'path.resolve(process.env.HOME, "/x")',
    ]
  ) {
    const refused = importApp(`{ name: "a", script: "app.js", cwd: ${path} }`, { env });
    assert.equal(refused.services.size, 0, path);
  }
});

Deno.test("importPm2() tells where a script is not in the folder of the file, and where it is", () => {
  const path = "/srv/a/deploy/pm2.json";
  const lost = importApp('{ "apps": [{ "name": "a", "script": "dist/app.js" }] }', {
    path,
    exists: ["/srv/a/dist/app.js"],
  });
  assert.match(
    notesOf(lost),
    /there is no \/srv\/a\/deploy\/dist\/app\.js: pm2 begins.*it is in \/srv\/a: set working_dir/,
  );
  const below = importApp('{ "apps": [{ "name": "a", "script": "app.js", "cwd": "api" }] }', {
    path,
    exists: [],
  });
  assert.match(notesOf(below), /there is no \/srv\/a\/deploy\/api\/app\.js/);
  for (
    const app of [
      '"script": "dist/app.js"',
      '"script": "app.js", "cwd": "/opt"',
      '"script": "npm"',
      '"script": "/opt/app.js"',
      '"script": "node app.js"',
    ]
  ) {
    const exists = ["/srv/a/deploy/dist/app.js"];
    const fine = importApp(`{ "apps": [{ "name": "a", ${app} }] }`, { path, exists });
    assert.doesNotMatch(notesOf(fine), /there is no/, app);
  }
});

Deno.test("importPm2() tells of env_file what it is, of folders of Windows, and of watchers", () => {
  const file = notesOf(importApp('{ name: "a", script: "app.js", env_file: ".env", env_production: {} }'));
  assert.match(file, /env_file \(line 2\) is no key of pm2.*svc has env_file/);
  assert.match(file, /env_production \(line 2\): a unit has one environment/);
  for (const cwd of ["E:\\nodejs", "E:\\temp", "C:\\\\app", "D:/app"]) {
    const app = `{ "apps": [{ "name": "a", "script": "app.js", "cwd": "${cwd}" }] }`;
    const windows = importApp(app, { path: "/srv/a/pm2.json" });
    assert.match(notesOf(windows), /folder of Windows/, cwd);
  }
  assert.match(
    notesOf(importApp('{ name: "a", script: "esbuild", args: "a.ts --watch" }')),
    /standard input is empty/,
  );
  assert.doesNotMatch(notesOf(importApp('{ name: "a", script: "/usr/sbin/nginx" }')), /background/);
});
