import assert from "node:assert/strict";
import { makeApp } from "../support/make_app.ts";
import { makeEngine } from "../support/make_engine.ts";

const browser = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };

Deno.test("a browser gets the page for every path that is no API, file or other route", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t);
  const { body: page } = await app("/");
  assert.match(page, /<title>svc<\/title>/);
  for (const path of ["/units", "/units/backup", "/units/web.1", "/runs"]) {
    const { status, body } = await app(path, browser);
    assert.equal(status, 200, path);
    assert.equal(body, page, path);
    assert.equal((await app(path)).status, 404, `${path} for a program`);
    assert.equal((await app(path, { ...browser, method: "POST" })).status, 404, path);
  }
  for (const path of ["/api/nope", "/api", "/assets/nope", "/schemas/Nope", "/logo.png", "/runs/a.js"]) {
    assert.equal((await app(path, browser)).status, 404, path);
  }
  assert.equal((await app("/api/tasks", { ...browser, method: "PUT" })).status, 405);
});
