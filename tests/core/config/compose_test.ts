import assert from "node:assert/strict";
import { config, lines, load, service } from "./memory.ts";

const pure = { permissions: "none" } as const;
const yaml = `services:
  web:
    image: web
    depends_on: [db]
    stop_grace_period: 20s
  db:
    image: db
    restart: "no"
`;
const files = (toml: string, compose = yaml) => ({ "/c/svc.toml": toml, "/c/shop.yaml": compose });

Deno.test("loadConfig() makes services of a compose file that run in containers of their own", pure, () => {
  const text = '[compose.shop]\nfile = "shop.yaml"\ngroup = "shop"\n';
  const { units } = config(files(text));
  assert.deepEqual(units.map(({ name, group }) => [name, group]), [["shop.db", "shop"], [
    "shop.web",
    "shop",
  ]]);
  const web = service(files(text), { name: "shop.web" });
  assert.equal(
    web.run,
    "exec docker compose --file /c/shop.yaml run --rm --no-TTY --service-ports --use-aliases " +
      '--name "svc-$SVC_RUN_ID" --label "svc.run_id=$SVC_RUN_ID" --no-deps --env SVC_RUN_ID --env SVC_TASK ' +
      "--env SVC_TRIGGER --env SVC_ATTEMPT --env SVC_INSTANCE web",
  );
  assert.deepEqual(web.compose, { file: "/c/shop.yaml", projectName: "c", service: "web" });
  assert.deepEqual([web.dependsOn, web.gracefulStop, web.restart], [["shop.db"], 20_000, "always"]);
  assert.equal(service(files(text), { name: "shop.db" }).restart, "never");
});

Deno.test("loadConfig() takes a compose service for no table that every object has", pure, () => {
  const compose =
    "services:\n  constructor:\n    image: x\n    stop_grace_period: 1h\n    stop_signal: SIGNOPE\n";
  const { errors } = load(files('[compose.shop]\nfile = "shop.yaml"\n', compose));
  assert.match(
    lines(errors).join(),
    /^2:1 compose\.shop\.file: cannot use service "constructor" of .*SIGNOPE/,
  );
});

Deno.test(
  "loadConfig() hands values of variables to a container without a command line that shows them",
  pure,
  () => {
    const { run, secrets } = service(
      files(`[compose.shop]
file = "shop.yaml"
services = ["db"]
profiles = ["a b"]
env_file = "c.env"
project_name = "it's"
name_format = "{service}-{alias}"
pull = "always"
with_deps = true
[compose.shop.db]
env = { A = "1" }
secrets = { PW = "hunter2" }
restart = "always"
`),
      { name: "db-shop" },
    );
    assert.equal(secrets["PW"], "hunter2");
    assert.equal(run.includes("hunter2"), false);
    assert.equal(
      run,
      "exec docker compose --file /c/shop.yaml --project-name 'it'\\''s' --env-file /c/c.env --profile 'a b' " +
        'run --rm --no-TTY --service-ports --use-aliases --pull always --name "svc-$SVC_RUN_ID" ' +
        '--label "svc.run_id=$SVC_RUN_ID" --env A --env PW --env SVC_RUN_ID --env SVC_TASK ' +
        "--env SVC_TRIGGER --env SVC_ATTEMPT --env SVC_INSTANCE db",
    );
  },
);

Deno.test(
  "loadConfig() says where it is that a compose file is wrong, or names what is there already",
  pure,
  () => {
    const wrong = (toml: string, compose?: string) => lines(load(files(toml, compose)).errors);
    const shop = '[compose.shop]\nfile = "shop.yaml"\n';
    assert.deepEqual(wrong(shop, "services:\n\tweb: {}\n"), [
      '2:1 compose.shop.file: cannot use "/c/shop.yaml": line 2, column 1: tab characters must not be used in ' +
      "indentation",
    ]);
    assert.deepEqual(wrong(`${shop}[services."shop.web"]\nrun = "x"\n`), [
      '1:1 compose.shop: "shop.web" is defined already: choose another name_format, or rename the other one',
    ]);
    assert.deepEqual(wrong(`${shop}[compose.shop.wbe]\ninstances = 2\n`), [
      '3:1 compose.shop.wbe: no service "wbe" is taken from /c/shop.yaml: did you mean "web"?',
    ]);
    assert.deepEqual(wrong(shop, "services:\n  a b: {}\n").length, 1);
    assert.deepEqual(wrong(shop, "services:\n  a: { stop_signal: SIGFOO }\n"), [
      '2:1 compose.shop.file: cannot use service "a" of /c/shop.yaml: stop_signal: ' +
      '"SIGFOO" is no signal of this system: write a name such as "SIGTERM" or "SIGINT"',
    ]);
  },
);

Deno.test("loadConfig() warns where there is no docker", pure, () => {
  const { warnings } = load(files('[compose.shop]\nfile = "shop.yaml"\n'), { hasProgram: () => false });
  assert.deepEqual(lines(warnings), [
    '1:1 compose.shop: cannot find "docker" in PATH: no service of a compose file can be started',
  ]);
});

Deno.test("loadConfig() decides nothing about compose files without a reader of YAML", pure, () => {
  assert.equal(load('[compose.a]\nfile = "x"\n', { parseYaml: undefined! }).needsYaml, true);
});

Deno.test(
  "loadConfig() tells what a compose file says that it does not follow, unless the table says it",
  pure,
  () => {
    const compose = `services:
  web: { image: web, restart: "\${R:-no}", stop_grace_period: 1d, stop_signal: "3" }
  ext: { extends: { service: web } }
  odd: { image: odd, stop_signal: "$SIG" }
`;
    const toml = '[compose.shop]\nfile = "shop.yaml"\n[compose.shop.ext]\nrestart = "never"\n';
    const { warnings, config } = load(files(toml, compose));
    assert.deepEqual(lines(warnings), [
      '2:1 compose.shop.file: web: restart "${R:-no}" is none that can be read, which leaves restart as usual; ' +
      'web: stop_grace_period "1d" is none that can be read, which leaves graceful_stop as usual; ' +
      'ext: stop_grace_period "1d" is none that can be read, which leaves graceful_stop as usual; ' +
      'odd: stop_signal "$SIG" is none that can be read, which leaves stop_signal as usual: ' +
      "say it in [compose.shop.SERVICE]",
    ]);
    assert.equal(config?.units.find(({ name }) => name === "shop.web")?.stopSignal, "SIGQUIT");
  },
);
