import assert from "node:assert/strict";
import { importCompose } from "../../../../src/importers/import/compose/import_compose.ts";
import type { Service } from "../../../../src/types.ts";
import { contextOf, corpus, importAs, type Outcome, told } from "../corpus.ts";

const path = "/srv/shop/compose.yaml";

function importFile(name: string): Outcome {
  return importAs(importCompose, corpus(`compose/${name}`), { path });
}

/** Imports services that are written as the value of `services`. */
function importServices(services: string): Outcome {
  return importAs(importCompose, `services:\n${services}`, { path });
}

/** What svc makes of a service, without what all have. */
function facts(service: Service | undefined): Partial<Service> {
  assert.ok(service !== undefined);
  const { restart, gracefulStop, stopSignal, instances, dependsOn } = service;
  return { restart, gracefulStop, stopSignal, instances, dependsOn };
}

Deno.test("importCompose() names the file, and says only what svc does not take from it by itself", () => {
  const { imported, text, services, service, at } = importFile("web-db.yaml");
  assert.deepEqual([...services.keys()], ["shop.cache", "shop.db", "shop.web"]);
  assert.equal(
    text.replaceAll(/^#.*\n/gm, ""),
    `[compose.shop]
file = "${path}"

[compose.shop.web]
start_retries = 5
graceful_stop = "10s"
instances = 2

[compose.shop.cache]
graceful_stop = "10s"
`,
  );
  assert.deepEqual(facts(service(4)), {
    restart: "always",
    gracefulStop: 90_000,
    stopSignal: "SIGTERM",
    instances: 1,
    dependsOn: [],
  });
  assert.deepEqual(facts(service(21)), {
    restart: "on_failure",
    gracefulStop: 10_000,
    stopSignal: "SIGINT",
    instances: 2,
    dependsOn: ["shop.db"],
  });
  assert.equal(service(57).restart, "never");
  assert.deepEqual(at(57).fate, { is: "taken" });
  assert.match(told(at(4)), /healthcheck is run by docker/);
  const web = told(at(21));
  assert.match(web, /start_retries = 5 is near to "on-failure:5"/);
  assert.match(web, /2 instances can't all have port 8000, 8443/);
  assert.match(web, /waits until "db" has run for healthy_after/);
  assert.match(web, /deploy\.resources\.limits\.cpus, deploy\.resources\.limits\.memory: held by docker/);
  assert.equal(at(9).what, "variables DB_PASSWORD, PASSED_THROUGH");
  const named = imported.entries.filter(({ what }) => what === "container_name");
  assert.deepEqual(named.map(told), ["containers are called svc-RUNID in its place: web"]);
  assert.equal(imported.entries.length, 5);
});

Deno.test("importCompose() leaves all that docker does itself to the file", () => {
  const { service, text } = importFile("web-db.yaml");
  // Neither a command nor a value of the file is copied: what docker reads stays as it is written there.
  assert.doesNotMatch(text, /gunicorn|POSTGRES|\$\$/);
  assert.match(
    service(21).run,
    /^exec docker compose --file \/srv\/shop\/compose\.yaml run --rm /,
  );
  assert.match(service(21).run, / web$/);
});

Deno.test("importCompose() resolves anchors and merges, and knows what ends by itself", () => {
  const { services, service, at, lines } = importFile("anchors.yaml");
  assert.deepEqual([...services.keys()], ["shop.api", "shop.init", "shop.postgres", "shop.worker"]);
  assert.deepEqual(service(26).dependsOn, ["shop.postgres"]);
  assert.match(told(at(26)), /does not wait for the end of "init"/);
  assert.deepEqual([service(36).instances, service(36).dependsOn], [3, ["shop.postgres"]]);
  assert.equal(service(47).restart, "never");
  assert.match(told(at(47)), /another service waits for its end/);
  assert.deepEqual(lines("refused"), [65]);
  assert.match(told(at(65)), /profile "debug", which is off: profiles = \["debug"\] in \[compose\.shop\]/);
  assert.equal(at(53).what, "variable FLOW_UID");
});

Deno.test("importCompose() tells of profiles, includes, extends, secrets and containers of others", () => {
  const { services, at, lines, text } = importFile("profiles-init.yaml");
  assert.deepEqual([...services.keys()], [
    "field-station.once",
    "field-station.sidecar",
    "field-station.station",
  ]);
  assert.doesNotMatch(text, /^services =/m);
  assert.deepEqual(lines("refused"), [3, 20, 27]);
  assert.equal(at(3).what, "include ./metrics/compose.yaml");
  assert.match(told(at(27)), /profile "monitoring" or "all"/);
  assert.equal(at(13).what, "variable NEEDED");
  assert.match(told(at(5)), /secrets are handed over by docker/);
  assert.match(
    told(at(35)),
    /network_mode "service:station" needs a container that "docker compose up" made/,
  );
  assert.match(told(at(35)), /pull_policy "never" does not count/);
  assert.match(told(at(40)), /volumes_from "station" needs/);
  assert.match(told(at(40)), /it extends oneshot of base\.yaml/);
});

Deno.test("importCompose() leaves out names that svc can't have, and tells of tags and words without a shell", () => {
  const { imported, services, service, at, lines, text } = importFile("commands.yaml");
  assert.equal(services.size, 8);
  assert.deepEqual(lines("refused"), [41]);
  assert.match(told(at(41)), /"quoted name" can be no part of a name in svc/);
  assert.match(text, /^services = \["plain", .*, "UPPER\.case-1"\]$/m);
  assert.equal(service(43).name, "shop.UPPER.case-1");
  assert.match(told(at(3)), /command meets no shell: "&&" in it is an argument/);
  for (const line of [6, 11, 19]) assert.doesNotMatch(told(at(line)), /shell/);
  assert.match(told(at(23)), /tag !reset before entrypoint \(line 25\) is docker compose's own/);
  const once = imported.entries.find(({ what }) => what === "no restart");
  assert.match(told(once!), /name no restart policy.*as with compose: .*numbers/);
  assert.equal(service(27).restart, "never");
});

Deno.test("importCompose() tells of each schedule in labels and variables with its line", () => {
  const { services, at } = importFile("scheduler-labels.yaml");
  assert.equal(services.size, 3);
  const clock = told(at(3));
  assert.match(clock, /touch\.schedule = "\$\{SCHEDULE:-@every 15s\}" \(line 10\)/);
  assert.match(
    clock,
    /report\.schedule = "0 30 6 \* \* \*" \(line 12\).*; six fields begin with seconds there/,
  );
  assert.match(told(at(14)), /tick\.schedule = "@hourly" \(line 18\)/);
  assert.match(told(at(14)), /prune\.schedule = "0,20,40 \* \* \* \*" \(line 20\)/);
  assert.match(told(at(23)), /CRON = "0 3 \* \* \*" \(line 26\)[^]*SCHEDULE = "@daily" \(line 27\)/);
});

Deno.test("importCompose() refuses broken YAML as a whole, and names all of its lines", () => {
  const { imported, text } = importFile("broken-tabs.yaml");
  assert.deepEqual([imported.units, imported.entries, text], [[], [], ""]);
  assert.equal(imported.broken?.line, 6);
  assert.match(
    imported.broken?.why ?? "",
    /indented by a tab[^;]*; line 7: [^;]*tab[^;]*; line 10: duplicated mapping key; line 11: bad indentation/,
  );
});

Deno.test("importCompose() says of another file what it is", () => {
  const wrong: [text: string, line: number, said: RegExp][] = [
    ["- a\n", 1, /a list stands where a map with "services" is due/],
    ["just words\n", 1, /"just words" stands where/],
    ["a: 1\n", 0, /it has no "services"/],
    ["# \nservices: [web]\n", 2, /its "services" are a list/],
    ["services:\n", 1, /its "services" are nothing/],
    ["a: 1\n---\nservices: {}\n", 0, /single document/],
    [`services: {w: {image: x, labels: ${"[".repeat(500)}${"]".repeat(500)}}}\n`, 1, /nesting exceeded/],
  ];
  for (const [text, line, said] of wrong) {
    const { imported } = importAs(importCompose, text, { path });
    assert.match(imported.broken?.why ?? "", said, text);
    assert.equal(imported.broken?.line, line, text);
  }
  assert.match(
    importAs(importCompose, "services: {}\n", { path: "-" }).imported.broken?.why ?? "",
    /name the file/,
  );
  for (const text of ["", "# nothing\n", "services: {}\n"]) {
    assert.deepEqual(importAs(importCompose, text, { path }).imported, { units: [], entries: [] });
  }
});

Deno.test("importCompose() refuses aliases that would fill the memory, and bears those that go in circles", () => {
  const levels = Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]\n`).join("");
  const bomb = `a0: &a0 [x]\n${levels}services:\n  web: { image: x, restart: always, depends_on: *a30 }\n`;
  assert.match(
    importAs(importCompose, bomb, { path }).imported.broken?.why ?? "",
    /aliases make more than 1000000/,
  );
  const merges = levels.replaceAll(/\[(.*)\]/g, "{ <<: [$1] }").replace("*a0, *a0", "{ k: v }");
  const merged = `${merges}services:\n  web: { image: x, <<: *a30 }\n`;
  assert.match(importAs(importCompose, merged, { path }).imported.broken?.why ?? "", /aliases make more/);
  const { service } = importServices(
    "  web: { image: x, restart: always, labels: &l [*l], environment: *l }\n",
  );
  assert.equal(service(2).name, "shop.web");
});

Deno.test("importCompose() reads marks and line ends of other systems", () => {
  const text =
    "\ufeffservices:\r\n  web:\r\n    image: x\r\n    restart: always\r\n    stop_grace_period: 3s\r\n";
  const { service, at } = importAs(importCompose, text, { path });
  assert.deepEqual([service(2).gracefulStop, at(2).fate], [3000, { is: "taken" }]);
});

Deno.test("importCompose() leaves out what is no service, and names with another meaning", () => {
  const { services, at, text } = importServices(
    "  web:\n  five: 5\n  bare: { restart: always }\n  pull: { image: x }\n  __proto__: { image: x }\n" +
      "  constructor: { image: x, restart: always }\n",
  );
  assert.deepEqual([services.size, text], [0, ""]);
  assert.match(told(at(2)), /nothing is no service: docker compose refuses the whole file/);
  assert.match(told(at(3)), /"5" is no service/);
  assert.match(told(at(4)), /neither an image nor a build/);
  assert.match(told(at(5)), /refuses the whole file until that is mended: see web, line 2/);
  const hidden = importServices(
    "  a: { image: x }\n  b: { image: x, profiles: [p] }\n  pull: { image: x }\n",
  );
  assert.match(told(hidden.at(3)), /adding "b" to services in \[compose\.shop\] takes it in/);
  const other = importServices(
    "  pull: { image: x }\n  __proto__: { image: x }\n  constructor: { image: x, restart: always }\n",
  );
  assert.deepEqual([...other.services.keys()], ["shop.constructor"]);
  assert.match(other.text, /^services = \["constructor"\]$/m);
  for (const line of [2, 3]) assert.match(told(other.at(line)), /is a key of \[compose\.shop\]/);
});

Deno.test("importCompose() takes fallbacks of variables where svc reads none, and tells of each", () => {
  const { service, at } = importServices(
    '  web: { image: x, restart: "${R:-on-failure}", stop_signal: "${S:-SIGINT}", stop_grace_period: "${G-20s}" }\n' +
      '  odd: { image: x, restart: "${R}", stop_signal: SIGRTMIN+3, stop_grace_period: long, scale: "${N:-2}" }\n',
  );
  assert.deepEqual(facts(service(2)), {
    restart: "on_failure",
    stopSignal: "SIGINT",
    gracefulStop: 20_000,
    instances: 1,
    dependsOn: [],
  });
  assert.match(told(at(2)), /restart is a variable of the file: "on-failure" was taken for it/);
  const odd = importServices(
    '  odd: { image: x, restart: sometimes, stop_signal: SIGRTMIN+3, scale: "${N:-2}" }\n',
  );
  assert.deepEqual([odd.service(2).stopSignal, odd.service(2).instances], ["SIGTERM", 2]);
  assert.match(told(odd.at(2)), /restart "sometimes" says nothing to svc/);
  assert.match(told(odd.at(2)), /SIGRTMIN\+3" can't be sent by svc, SIGTERM stands in/);
});

Deno.test("importCompose() reads the policies and copies that stand under deploy", () => {
  const { imported, services, at } = importServices(
    "  a: { image: x, restart: always, deploy: { restart_policy: { condition: none }, replicas: 0 } }\n" +
      "  b: { image: x, deploy: { restart_policy: {} }, scale: 100 }\n" +
      '  c: { image: x, restart: "no", scale: 2, ports: [80, "9000-9001:80", { target: 80 }] }\n' +
      '  d: { image: x, restart: always, scale: 2, ports: ["127.0.0.1:${P:-80}:80", { published: 81 }, "${Q}:80"] }\n',
  );
  const d = imported.entries.map(told).at(-1) ?? "";
  const unit = (name: string) => services.get(`shop.${name}`) ?? assert.fail(name);
  assert.deepEqual([unit("a").restart, unit("a").autostart], ["never", false]);
  assert.match(told(at(2)), /scaled to 0: it starts by request alone/);
  // docker compose hands no condition on, which is "no" to docker.
  assert.deepEqual([unit("b").restart, unit("b").instances], ["never", 64]);
  assert.match(told(at(3)), /64 instances are the most/);
  assert.deepEqual([unit("c").instances, at(4).fate], [2, { is: "taken" }]);
  assert.match(d, /port 80, 81, \$\{Q\} of this machine/);
});

Deno.test("importCompose() waits for what runs, and tells what it does not wait for", () => {
  const { service, at } = importServices(
    "  web: { image: x, restart: always, depends_on: { db: { condition: service_healthy, restart: true }, once: {}, old: { required: false } } }\n" +
      "  db: { image: x, restart: always }\n" +
      '  once: { image: x, restart: "no" }\n' +
      "  old: { image: x, profiles: [old] }\n",
  );
  assert.deepEqual(service(2).dependsOn, ["shop.db"]);
  const web = told(at(2));
  assert.match(web, /does not wait for "once", which may have ended/);
  assert.match(web, /depends on "old", which is not taken/);
  assert.match(web, /not restarted when "db" is/);
});

Deno.test("importCompose() chooses an alias under which no name is in use", () => {
  const text = "services:\n  web: { image: x, restart: always }\n";
  const twice = importCompose([{ path, text }, { path: "/opt/shop/compose.yaml", text }], contextOf());
  assert.deepEqual(twice.units.map(({ name }) => name), ["shop", "shop-2"]);
  const taken = new Set(["shop.web", "shop-2"]);
  assert.deepEqual(
    importCompose([{ path, text }], contextOf({ taken })).units.map(({ services }) => services),
    [
      ["shop-3.web"],
    ],
  );
  const named = importCompose([{ path, text: `name: \${P:-front}\n${text}` }], contextOf());
  assert.equal(named.units[0]?.name, "front");
});

Deno.test("importCompose() looks for .env and the file that docker compose would add", () => {
  const text = 'services:\n  web: { image: "x:${TAG}", command: "${OTHER}", restart: always }\n';
  const known: Record<string, string> = {
    "/srv/shop/.env": "# TAGS\nTAG=1\n",
    "/srv/shop/compose.override.yaml": "services: {}\n",
  };
  const files = (glob: string) => known[glob] === undefined ? [] : [{ path: glob, text: known[glob] }];
  const { entries } = importCompose([{ path, text }], contextOf({ files }));
  assert.deepEqual(entries.map(({ what }) => what), ["compose.override.yaml", "variable OTHER", "web"]);
  assert.match(told(entries[0]!), /docker compose adds it to compose\.yaml by itself/);
});

Deno.test("importCompose() tells of volumes that end with a container", () => {
  const { at } = importServices(
    '  a: { image: x, restart: always, volumes: [/data, "db:/db", { type: volume, target: /more }, "./x:/x:ro", "${V:-/v}"] }\n' +
      "  b: { image: x, restart: always, volumes: [{ type: bind, source: /x, target: /y }, { type: tmpfs, target: /t }] }\n" +
      "volumes: { db: }\n",
  );
  assert.match(told(at(2)), /what lies in \/data, \/more is gone with it, name the volume/);
  assert.doesNotMatch(told(at(3)), /gone/);
});

Deno.test("importCompose() tells what belongs to docker compose up alone, and sets pull where all agree", () => {
  const { text, at } = importServices(
    "  a:\n    { image: x, restart: always, pull_policy: always, tty: true, stdin_open: true, configs: [c], pre_stop: [{ command: x }] }\n" +
      "  b: { image: x, restart: always, pull_policy: always, healthcheck: { disable: true }, mem_limit: 1g }\n" +
      "  c: { image: x, restart: always, pull_policy: always, healthcheck: { test: NONE }, pid: 'service:a', extends: { service: a, file: b.yaml } }\n" +
      "configs: { c: { file: x } }\n",
  );
  assert.match(text, /^pull = "always"$/m);
  assert.match(
    told(at(2)),
    /^its configs .*\npre_stop belongs .*\nit gets no terminal.*\nits standard input is empty$/,
  );
  assert.match(told(at(4)), /^mem_limit: held by docker/);
  assert.match(told(at(5)), /^pid "service:a" needs .*\nit extends a of b\.yaml, which/);
});
