/** What docker compose reads, refuses and restarts. */

import assert from "node:assert/strict";
import { importCompose } from "../../../../src/importers/import/compose/import_compose.ts";
import { importAs, type Outcome, told } from "../corpus.ts";

const path = "/srv/shop/compose.yaml";

function importText(text: string): Outcome {
  return importAs(importCompose, text, { path });
}

/** The restart policy that svc has for each service. */
function restartsOf(services: string): Record<string, string> {
  const outcome = importText(`services:\n${services}`);
  return Object.fromEntries([...outcome.services].map(([name, { restart }]) => [name.slice(5), restart]));
}

Deno.test("importCompose() reads lines in brackets and quotes as far out as libyaml does, with their numbers", () => {
  const { services, service, at } = importText(
    'services:\n  db:\n    image: mysql:8\n    command: [\n      "--a",\n    ]\n    environment: {\n  A: 1\n    }\n' +
      '    labels:\n      x: "two\n  lines"\n  web:\n    image: x\n    container_name: w\n',
  );
  assert.deepEqual([...services.keys()], ["shop.db", "shop.web"]);
  assert.equal(service(2).name, "shop.db");
  assert.equal(service(13).name, "shop.web");
  assert.equal(at(15).what, "container_name");
});

Deno.test("importCompose() restarts what extends another as that does, and nothing in doubt", () => {
  assert.deepEqual(
    restartsOf(
      "  base: { image: x }\n  once: { extends: { service: base }, command: once }\n" +
        "  kept: { image: x, restart: always }\n  more: { extends: kept }\n  deep: { extends: more, restart: 'no' }\n" +
        "  far: { extends: { service: base, file: other.yaml } }\n" +
        "  rule: { image: x, deploy: { restart_policy: { condition: on-failure } } }\n  under: { extends: rule }\n",
    ),
    {
      base: "never",
      once: "never",
      kept: "always",
      more: "always",
      deep: "never",
      far: "never",
      rule: "on_failure",
      under: "on_failure",
    },
  );
});

Deno.test("importCompose() takes each condition that docker compose takes, with fallbacks, and never else", () => {
  const policy = (condition: string) =>
    restartsOf(`  p: { image: x, restart: always, deploy: { restart_policy: { ${condition} } } }\n`)["p"];
  assert.equal(policy('condition: "no"'), "never");
  assert.equal(policy("condition: none"), "never");
  assert.equal(policy("condition: false"), "never");
  assert.equal(policy("condition: always"), "always");
  assert.equal(policy("condition: any"), "always");
  assert.equal(policy("condition: unless-stopped"), "always");
  assert.equal(policy('condition: "${C:-no}"'), "never");
  assert.equal(policy('condition: "${C:-any}"'), "always");
  assert.equal(policy('condition: "${C}"'), "never");
  assert.equal(policy("delay: 5s"), "never");
  for (const restart of ['"${R}"', "sometimes", '"${R:-no}"']) {
    assert.deepEqual(restartsOf(`  p: { image: x, restart: ${restart} }\n`), { p: "never" }, restart);
  }
});

Deno.test("importCompose() takes nothing of a file that docker compose refuses, and says what it lacks", () => {
  const faults: [services: string, why: RegExp][] = [
    ["a: { image: x, depends_on: [db] }", /it depends on "db", which is no service of this file/],
    ["a: { image: x, depends_on: { db: {} } }", /it depends on "db"/],
    ["a: { image: x, network_mode: 'service:vpn' }", /its network_mode is that of "vpn"/],
    ["a: { extends: base }", /it extends "base"/],
    ["a: { image: x, volumes: ['data:/data'] }", /"data", which volumes of this file does not define/],
    ["a: { image: x, networks: { front: } }", /"front", which networks/],
    ["a: { image: x, secrets: [{ source: key }] }", /"key", which secrets/],
    ["a: { image: x, configs: [conf] }", /"conf", which configs/],
    ["a: { restart: always }", /neither an image nor a build/],
  ];
  for (const [services, why] of faults) {
    const { imported, at } = importText(`services:\n  ${services}\n  b: { image: x }\n`);
    assert.deepEqual(imported.units, [], services);
    assert.match(told(at(2)), why, services);
    assert.match(told(at(2)), /docker compose refuses the whole file.*"docker compose config"/, services);
    assert.match(told(at(3)), /refuses the whole file until that is mended: see a, line 2/, services);
  }
  const off = importText("services:\n  a: { image: x, depends_on: [b] }\n  b: { image: x, profiles: [p] }\n");
  assert.match(told(off.at(2)), /"b", of which the profile "p" is off/);
});

Deno.test("importCompose() holds nothing against a file that another one may complete", () => {
  const fine = [
    "services:\n  a: { image: x, depends_on: { db: { required: false } }, networks: [default], volumes: ['./x:/x', /y, '${V}:/z'] }\n",
    "include: [other.yaml]\nservices:\n  a: { image: x, depends_on: [db], volumes: ['data:/data'] }\n",
    "services:\n  a: { image: x, volumes: ['data:/d'], secrets: [s] }\nvolumes: { data: }\nsecrets: { s: { file: f } }\n",
    "services:\n  a: { image: x }\n  b: { depends_on: [nothing], profiles: [p] }\n",
  ];
  for (const text of fine) assert.equal(importText(text).services.has("shop.a"), true, text);
  assert.match(told(importText(fine[1]!).at(1)), /"docker compose config" writes all as one file/);
});

Deno.test("importCompose() tells what is so for many services once", () => {
  const { imported } = importText(
    "services:\n  a: { image: x, container_name: a }\n  b: { image: x, container_name: b }\n  c: { image: x, restart: always }\n",
  );
  assert.deepEqual(imported.entries.map((entry) => `${entry.line} ${entry.what}: ${told(entry)}`), [
    '1 no restart: these name no restart policy, so they are not started again when they end, as with compose: a, b. Take restart = "never" out of a table, and it is',
    "2 a: ",
    "2 container_name: containers are called svc-RUNID in its place: a, b",
    "3 b: ",
    "4 c: ",
  ]);
});
