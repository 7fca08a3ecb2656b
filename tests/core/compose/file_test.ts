import assert from "node:assert/strict";
import { readComposeFile } from "../../../src/core/compose/file.ts";

const pure = { permissions: "none" } as const;
const all = { wanted: undefined, profiles: [] };

const shop = {
  name: "shop",
  services: {
    web: { image: "web", restart: "on-failure:5", stop_grace_period: "1m30s", depends_on: ["db"] },
    db: { image: "db", restart: "no", stop_signal: "SIGINT", depends_on: { init: { condition: "x" } } },
    init: null,
    shell: { profiles: ["debug"] },
  },
};

Deno.test(
  "readComposeFile() takes what no profile hides, with what it says of restarts and stops",
  pure,
  () => {
    assert.deepEqual(readComposeFile(shop, all), {
      project: "shop",
      notes: [],
      services: [
        {
          name: "web",
          settings: { restart: "on_failure", graceful_stop: "1m30s" },
          dependsOn: ["db"],
          unread: {},
        },
        {
          name: "db",
          settings: { restart: "never", stop_signal: "SIGINT" },
          dependsOn: ["init"],
          unread: {},
        },
        { name: "init", settings: {}, dependsOn: [], unread: {} },
      ],
    });
  },
);

Deno.test(
  "readComposeFile() takes profiles that are switched on, and what is named whatever its profile",
  pure,
  () => {
    const names = (options: Parameters<typeof readComposeFile>[1]) => {
      const reading = readComposeFile(shop, options);
      return "fault" in reading ? reading.fault : reading.services.map(({ name }) => name);
    };
    assert.deepEqual(names({ wanted: undefined, profiles: ["debug"] }), ["web", "db", "init", "shell"]);
    assert.deepEqual(names({ wanted: ["shell"], profiles: [] }), ["shell"]);
    assert.equal(names({ wanted: ["wep"], profiles: [] }), 'it has no service "wep": did you mean "web"?');
  },
);

Deno.test("readComposeFile() says what is no compose file, and that nothing is included", pure, () => {
  for (const text of [null, 5, [], {}, { services: [] }]) {
    assert.deepEqual(readComposeFile(text, all), { fault: 'it has no "services"' });
  }
  const reading = readComposeFile({ include: ["x.yaml"], services: {} }, { wanted: ["far"], profiles: [] });
  assert.ok("services" in reading);
  assert.deepEqual([reading.services.length, reading.notes.length], [1, 1]);
});

Deno.test("readComposeFile() makes no name of a list, however large aliases make it", pure, () => {
  let bomb: unknown[] = ["x"];
  for (let level = 0; level < 30; level++) bomb = [bomb, bomb];
  const services = { web: { depends_on: bomb }, hidden: { profiles: bomb } };
  const reading = readComposeFile({ services }, all);
  assert.ok("services" in reading);
  assert.deepEqual(reading.services.map(({ name, dependsOn }) => [name, dependsOn]), [["web", ["", ""]]]);
});
