import assert from "node:assert/strict";
import { formatDuration } from "../../../../src/core/duration.ts";
import { importPm2 } from "../../../../src/importers/import/pm2/import_pm2.ts";
import { importAs, type Outcome, told } from "../corpus.ts";
import { received } from "../stub.ts";

function importText(text: string, path = "/srv/repo/ecosystem.config.js"): Outcome {
  return importAs(importPm2, text, { path, env: { A: "set" } });
}

function everything({ imported }: Outcome): string {
  return imported.entries.map((entry) => `${entry.line} ${entry.what}: ${told(entry)}`).join("\n");
}

Deno.test.each([
  "export default { apps: [{ name: 'a', script: './a.js' }] };",
  "const config = { apps: [{ name: 'a', script: './a.js' }] };\nexport default config;",
  "exports.apps = [{ name: 'a', script: './a.js' }];",
  "module.exports.apps = [{ name: 'a', script: './a.js' }];",
  "exports = module.exports = { apps: { name: 'a', script: './a.js' } };",
  "module.exports = [{ name: 'a', script: './a.js' }];",
  "module.exports = { name: 'a', script: './a.js' };",
  "const apps = [{ name: 'a', script: './a.js' }];\nmodule.exports = { apps };",
  "const script = './a' + '.js', one = { name: `a`, script };\nmodule.exports = { apps: [].concat(one) };",
  "import { resolve } from 'node:path';\nexport default { apps: [{ name: 'a', script: './a.js', cwd: resolve(import.meta.dirname) }] };",
  "const { join } = require('path');\nmodule.exports = { apps: [{ name: 'a', script: './a.js', cwd: join(__dirname, '.') }] };",
])("importPm2() reads an app from %j", (text) => {
  const { services } = importText(text);
  const app = services.get("a") ?? assert.fail("no service");
  assert.deepEqual([received(app.run), app.workingDir], [["node", "./a.js"], "/srv/repo"]);
});

Deno.test.each([
  [
    "const apps = [];\nfor (const n of [1]) apps.push({ script: 'a.js' });\nmodule.exports = { apps };",
    /code changes it on line 2/,
  ],
  [
    "let name = 'a';\nname = 'b';\nmodule.exports = { apps: [{ name, script: 'a.js' }] };",
    /code changes it on line 2/,
  ],
  [
    "const a = { script: 'a.js' };\ndecorate(a);\nmodule.exports = { apps: [a] };",
    /code changes it on line 2/,
  ],
  [
    "const apps = [{ script: 'a.js' }];\napps.forEach((app) => { app.cwd = '/x'; });\nmodule.exports = { apps };",
    /code changes it on line 2/,
  ],
  [
    "const apps = [{ script: 'a.js' }];\nfor (const app of apps) app.cwd = '/x';\nmodule.exports = { apps };",
    /code changes it on line 2/,
  ],
  [
    "const apps = [{ script: 'a.js' }], all = { apps };\nall.apps.push({ script: 'b.js' });\nmodule.exports = { apps };",
    /code changes it on line 2/,
  ],
  [
    "const apps = [{ script: 'a.js' }];\nadd({ to: apps });\nmodule.exports = { apps };",
    /code changes it on line 2/,
  ],
  [
    "const apps = [{ script: 'a.js' }];\nfunction set(app) { app.uid = 'x'; }\napps.forEach(set);\nmodule.exports = { apps };",
    /code changes it on line 3/,
  ],
  [
    "const apps = [{ script: 'a.js' }];\nfor (const [i, app] of apps.entries()) app.port = i;\nmodule.exports = { apps };",
    /code changes it on line 2/,
  ],
  [
    "const apps = [{ script: 'a.js' }];\napps.find((app) => app.name === 'a').instances = 4;\nmodule.exports = { apps };",
    /code changes it on line 2/,
  ],
  [
    "const apps = [{ script: 'a.js' }];\nconst [web] = apps;\nweb.script = 'b.js';\nmodule.exports = { apps };",
    /code changes it on line 3/,
  ],
  [
    "const apps = [{ script: 'a.js' }];\nObject.values(apps).forEach((app) => { app.script = 'b.js'; });\nmodule.exports = { apps };",
    /code changes it on line 2/,
  ],
  [
    "const a = { script: 'a.js' };\nlet b;\nb = a;\nb.script = 'b.js';\nmodule.exports = { apps: [a] };",
    /code changes it on line 4/,
  ],
  ...[
    "[a][0].script = 'b.js';",
    "[a].at(0).script = 'b.js';",
    "({ s: a.script } = { s: 'b.js' });",
    "[a].map(set);",
    "new Changer(a);",
    "tag`${a}`;",
    "(function (x) { x.script = 'b.js'; })(a);",
    "(() => a)().script = 'b.js';",
    "String(a);\nfunction String(x) { x.script = 'b.js'; }",
    "tools.join(a);\nconst tools = { join(x) { x.script = 'b.js'; } };",
    "get().script = 'b.js';\nfunction get() { return a; }",
    "Object.assign(a, { script: 'b.js' });",
    "const b = Object.assign({}, { inner: a });\nb.inner.script = 'b.js';",
    "{ var a = { script: 'b.js' }; }",
    "eval('a.script = 1');",
    "delete a.script;",
    "const _ = require('lodash');\n_.forEach([a], set);\nfunction set(x) { x.script = 'b.js'; }",
    "require('./h').map(a);",
    "const h = require('./h');\nh.get(a);",
    "const { resolve } = require('./h');\nresolve(a);",
    "const path = require('./path');\npath.join(a);",
    "try { throw a; } catch (e) { e.script = 'b.js'; }",
    "function f(x = a) { x.script = 'b.js'; } f();",
    "const { y = a } = {};\ny.script = 'b.js';",
    "[a].forEach(function () { arguments[0].script = 'b.js'; });",
    "[1].forEach(function () { this.script = 'b.js'; }, a);",
  ].map((change) =>
    [
      `var a = { script: 'a.js' };\n${change}\nmodule.exports = { apps: [a] };`,
      /code changes it on line [2-4]|^2 what it exports is made by code/,
    ] as const
  ),
  [
    "process.env.DB = 'x';\nmodule.exports = { apps: [{ script: 'a.js', env: { DB: process.env.DB } }] };",
    /code changes the environment on line 1/,
  ],
  [
    "const { env } = process;\nenv.DB = 'x';\nmodule.exports = { apps: [{ script: 'a.js', env: { DB: process.env.DB } }] };",
    /code changes the environment on line 2/,
  ],
  [
    "module.exports = { apps: [{ script: ({}).constructor ? 'a.js' : 'b.js' }] };",
    /it needs running|depends on/,
  ],
  ["module.exports = { apps: [{ script: 'a.js', env: { X: true + 1 } }] };", /it needs running/],
  ["const a = b, b = a;\nmodule.exports = { apps: [{ script: a }] };", /stands for itself/],
  [
    "module.exports = { apps: [{ script: 'a.js', env: { X: Date.now() } }] };",
    /env\.X \(line 1\): it needs running/,
  ],
  [
    "module.exports = { apps: [{ ...require('./base'), script: 'a.js' }] };",
    /other code and files are not read/,
  ],
  [
    "module.exports = { apps: [{ script: process.env.NODE_ENV === 'x' ? 'a.js' : 'b.js' }] };",
    /depends on the environment/,
  ],
  ["module.exports = { apps: [{ ['scr' + f()]: 'a.js' }] };", /it needs running/],
  ["module.exports = { apps: [{ script: 'a.js', get name() { return 'x'; } }] };", /it needs running/],
  [
    "module.exports = { apps: [{ script: 'a.js', __proto__: { cwd: '/x' } }] };",
    /a prototype is not followed/,
  ],
  [
    "module.exports = { apps: [{ script: 'a.js', env: { X: process.env.Y || 'a}b' } }] };",
    /can't be written/,
  ],
])("importPm2() takes no app of %j", (text, why) => {
  const outcome = importText(String(text));
  assert.equal(outcome.services.size, 0);
  const { broken } = outcome.imported;
  assert.match(broken === undefined ? everything(outcome) : `${broken.line} ${broken.why}`, why as RegExp);
});

Deno.test.each([
  ["module.exports = {", "ecosystem.config.js", 1, /can't be read as JavaScript: Unexpected token/],
  ['{\n "apps": [\n }', "apps.json", 3, /can't be read as JSON: Unexpected token/],
  ['{"apps": []}\nmore', "apps.json", 1, /something stands behind its end: "more"/],
  ['[{"script": f()}]', "apps.json", 0, undefined],
  ["const x = 1;", "ecosystem.config.js", 1, /it exports nothing/],
  ["if (x) module.exports = { apps: [] };", "ecosystem.config.js", 1, /made by code/],
  ["module.exports = () => ({ apps: [] });", "ecosystem.config.js", 1, /it needs running/],
  ["module.exports = { a: 1 };", "ecosystem.config.js", 1, /no ecosystem file/],
  ["apps:\n  - script: a.js\n", "ecosystem.yml", 0, /YAML/],
])("importPm2() tells a file that can't be read, %j", (text, name, line, why) => {
  const { imported } = importText(String(text), `/srv/repo/${name}`);
  assert.equal(imported.units.length, 0);
  if (why === undefined) assert.equal(imported.broken, undefined);
  else {
    assert.match(imported.broken?.why ?? "", why as RegExp);
    assert.equal(imported.broken?.line, line);
  }
});

Deno.test("importPm2() does not grow with what a file builds up", () => {
  const double = (name: string, first: string, of: (name: string) => string): string =>
    `const ${name}0 = ${first};\n` +
    Array.from({ length: 60 }, (_, n) => `const ${name}${n + 1} = ${of(`${name}${n}`)};\n`).join("");
  const outcome = importText(
    double("t", "'0123456789'", (t) => `\`\${${t}}\${${t}}\``) +
      double("p", "'0123456789'", (p) => `${p} + ${p}`) +
      double("l", "['x']", (l) => `[...${l}, ...${l}]`) +
      double("d", "{ x: 1 }", (d) => `{ x: ${d}, y: ${d} }`) +
      "module.exports = { apps: [{ script: t60 }, { script: p60 }, { script: 'a', args: l60 }, " +
      "{ script: 'a', env: { D: d60 } }, { script: 'b.js' }] };",
  );
  assert.deepEqual([...outcome.services.keys()], ["b"]);
  const refused = outcome.imported.entries.map(told);
  for (const at of [0, 1, 2]) assert.match(refused[at]!, /grows without end/);
  assert.match(refused[3]!, /can't be written as one text/);
});

Deno.test("importPm2() tells nesting without end in one message", () => {
  const text = `module.exports = { apps: ${"[".repeat(200_000)}${"]".repeat(200_000)} }`;
  assert.match(importText(text).imported.broken?.why ?? "", /can't be read as JavaScript|nests too deeply/);
});

Deno.test("importPm2() keeps keys apart from those of JavaScript", () => {
  const { services } = importText(
    '[{"script": "a.js", "env": {"constructor": "x", "toString": 1}}]',
    "/srv/a.json",
  );
  assert.deepEqual(services.get("a")?.env, {
    constructor: "x",
    toString: "1",
    NODE_APP_INSTANCE: "0",
  });
  assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
});

Deno.test("importPm2() reads JSON from standard input, and leaves folders to the reader", () => {
  const { services, imported } = importText('// apps\n/* of ours */\n{ apps: [{ script: "a.js" }] }', "-");
  assert.equal(services.get("a")?.run, "exec node a.js");
  assert.match(told(imported.entries[0]!), /set working_dir/);
});

Deno.test("importPm2() puts variables into commands for the run to fill in", () => {
  const { services } = importText(
    "module.exports = { apps: [{ script: 'a.js', args: `--port ${process.env.PORT || 80} --x ${process.env.A}`, " +
      "env: { URL: 'http://' + (process.env.HOST ?? 'here') + '/${x}' } }] };",
  );
  const { run, env } = services.get("a")!;
  assert.deepEqual(received(run, { env: { A: "1 2" } }), ["node", "a.js", "--port", "80", "--x", "1", "2"]);
  assert.deepEqual(received(run, { env: { PORT: "90", A: "1" } }).slice(2), ["--port", "90", "--x", "1"]);
  assert.equal(env["URL"], "http://here/${x}");
});

Deno.test("importPm2() reads on where code changes nothing that it gets hold of", () => {
  const { services, imported } = importText(
    "const path = require('path');\nconst dir = '/srv', base = { cwd: dir }, names = ['a', 'b'];\n" +
      "console.log(names.join(', '), process.env.HOME);\nrequire('dotenv').config({ path: path.join(dir, '.env') });\n" +
      "const logs = path.join(dir, 'logs'), fs = require('fs'), root = process.cwd();\nprocess.on('exit', () => {});\n" +
      "if (!fs.existsSync(logs)) fs.mkdirSync(logs);\nconst clone = JSON.parse(JSON.stringify(base));\n" +
      "const all = names.map((name) => name.toUpperCase()).filter(Boolean);\nconst copy = Object.assign({}, base);\n" +
      "module.exports = { apps: [{ ...base, script: 'a.js', args: [, 'x'].length, " +
      "env: { E: process.env.E ?? 'e', L: logs } }] };",
  );
  const { workingDir, env, run } = services.get("a")!;
  assert.deepEqual([workingDir, env, run], [
    "/srv",
    { E: "e", L: "/srv/logs", NODE_APP_INSTANCE: "0" },
    "exec node a.js 2",
  ]);
  assert.match(
    imported.entries.map(told).join("\n"),
    /E: what stands behind "\?\?" is taken for an empty value as well/,
  );
});

Deno.test("importPm2() refuses a schedule that is none, and counts processors for negative instances", () => {
  const outcome = importText(
    "module.exports = { apps: [{ name: 'a', script: 'a.js', autorestart: false, cron_restart: '61 * * * *' }, " +
      "{ name: 'b', script: 'b.js', instances: -1 }, { name: 'c', script: 'c.js', instances: 'many' }] };",
  );
  assert.equal(outcome.services.get("b")?.instances, 3);
  assert.match(
    everything(outcome),
    /cron_restart \(line 1\): minute "61" is over 59[^]*instances \(line 1\): "many" is no number/,
  );
});

Deno.test("importPm2() splits text for arguments as pm2 does", () => {
  const { services } = importText(
    String.raw`module.exports = [{ script: 'a.js', args: '-a "b c" --d="e f" \'g h\' "" i\\j k"l' }];`,
  );
  assert.deepEqual(received(services.get("a")!.run).slice(2), [
    "-a",
    "b c",
    '--d="e f"',
    "g h",
    "i\\j",
    'k"l',
  ]);
});

Deno.test("importPm2() knows the port of an app, and one that is not started by itself", () => {
  const { services } = importText(
    "module.exports = [{ script: 'a.js', port: 80, autostart: false, env: { PORT: 1 } }];",
  );
  const { env, autostart } = services.get("a")!;
  assert.deepEqual([env, autostart], [{ PORT: "80", NODE_APP_INSTANCE: "0" }, false]);
});

Deno.test.each([
  ["{}", 16, "0s", "constant"],
  ["{ max_restarts: 3 }", 3, "0s", "constant"],
  ["{ max_restarts: 0 }", 16, "0s", "constant"],
  ["{ max_restarts: 9999 }", -1, "0s", "constant"],
  // So slowly that the count of pm2 is over before it is reached.
  ["{ restart_delay: 5000 }", -1, "5s", "constant"],
  ["{ restart_delay: 500 }", 16, "500ms", "constant"],
  ["{ exp_backoff_restart_delay: 200 }", -1, "200ms", "exponential"],
  ["{ exp_backoff_restart_delay: 100, max_restarts: 10, min_uptime: '10s' }", 10, "100ms", "exponential"],
])("importPm2() gives up where pm2 does: %s", (own, retries, delay, backoff) => {
  const { services } = importText(`module.exports = { apps: [{ script: 'a.js', ...${own} }] };`);
  const { startRetries, restartDelay, restartBackoff } = services.get("a")!;
  assert.deepEqual([startRetries, formatDuration(restartDelay), restartBackoff], [retries, delay, backoff]);
});

Deno.test("importPm2() makes the text of null as pm2 does", () => {
  const { services } = importText("module.exports = [{ script: 'a.js', env: { N: null, U: undefined } }];");
  assert.equal(services.get("a")?.env["N"], "null");
  assert.equal(services.get("a")?.env["U"], undefined);
});
