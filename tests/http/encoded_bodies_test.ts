import assert from "node:assert/strict";
import { createApp } from "../../src/http/app.ts";
import { makeApp, testFacts } from "../support/make_app.ts";
import { makeEngine } from "../support/make_engine.ts";
import { task } from "../support/units.ts";

Deno.test("A body that is compressed, or written in anything but UTF-8, is 415", async () => {
  await using t = await makeEngine({ units: [task({ name: "x" })] });
  const app = makeApp(t);
  const send = async (headers: Record<string, string>) =>
    (await app("/api/tasks/x/run", { method: "POST", text: "{}", headers })).status;
  const typed = (type: string) => send({ "content-type": `application/json${type}` });
  for (const charset of ["utf-16", "UTF-16LE", '"iso-8859-1"']) {
    assert.equal(await typed(`; charset=${charset}`), 415, charset);
  }
  for (const charset of ["utf-8", '"UTF-8"', "us-ascii", "utf8"]) {
    assert.equal(await typed(`;charset=${charset}`), 201, charset);
  }
  const json = { "content-type": "application/json" };
  assert.equal(await send({ ...json, "content-encoding": "gzip" }), 415);
  assert.equal(await send({ ...json, "content-encoding": "identity" }), 201);
});

Deno.test("An answer names its schema once, whatever its path is like", async () => {
  await using t = await makeEngine({ units: [] });
  const app = createApp(t.engine, testFacts());
  const text = await (await app.request("/*", {}, { peer: { kind: "socket" } })).text();
  assert.equal(text.split('"$schema"').length, 2, text);
});
