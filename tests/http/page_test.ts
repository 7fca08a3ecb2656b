import assert from "node:assert/strict";
import { makeApp } from "../support/make_app.ts";
import { makeEngine } from "../support/make_engine.ts";

const browser = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };

Deno.test("the page's files come compressed where the client can, once, and are kept by their names", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t);
  const plain = await app("/assets/main.js");
  assert.equal(plain.headers.get("content-encoding"), null);
  assert.equal(plain.headers.get("cache-control"), "no-cache");
  const etag = plain.headers.get("etag") ?? "";
  const packed = await app("/assets/main.js", { headers: { "accept-encoding": "br, gzip" } });
  assert.equal(packed.headers.get("content-encoding"), "gzip");
  assert.equal((await app("/assets/main.js", { headers: { "if-none-match": etag } })).status, 304);
  const piece = /"\.\/([a-z_]+-[a-z0-9]{8}\.js)"/.exec(plain.body)?.[1];
  const { headers } = await app(`/assets/${piece}`);
  assert.match(headers.get("cache-control") ?? "", /immutable/);
});

Deno.test("a browser gets the policy on openers where it takes one", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t);
  const policy = async (url: string, headers = {}): Promise<string | null> =>
    (await app(url, { headers })).headers.get("cross-origin-opener-policy");
  assert.equal(await policy("http://localhost:8420/"), "same-origin");
  assert.equal(await policy("http://127.0.0.1:8420/"), "same-origin");
  assert.equal(await policy("https://svc.example/"), "same-origin");
  assert.equal(await policy("http://svc.example/", { "x-forwarded-proto": "https" }), "same-origin");
  assert.equal(await policy("http://svc.example/"), null);
});

Deno.test("a browser gets the page for every path that is no API, file or other route", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t);
  const { body: page } = await app("/");
  assert.match(page, /<title>svc<\/title>/);
  for (const path of ["/units", "/units/backup", "/units/web.1", "/runs"]) {
    const { status, body } = await app(path, browser);
    assert.equal(status, 200, path);
    assert.equal(body.replaceAll(/"[./]+assets/g, '"./assets'), page, path);
    assert.equal((await app(path)).status, 404, `${path} for a program`);
    assert.equal((await app(path, { ...browser, method: "POST" })).status, 404, path);
  }
  for (const path of ["/api/nope", "/api", "/assets/nope", "/schemas/Nope", "/logo.png", "/runs/a.js"]) {
    assert.equal((await app(path, browser)).status, 404, path);
  }
  assert.equal((await app("/api/tasks", { ...browser, method: "PUT" })).status, 405);
});

Deno.test("the page finds its files from each view, below whatever path a proxy puts it", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t);
  for (
    const path of [
      "/",
      "/units",
      "/units/web",
      "/units/a%2Fb",
      "/units/a.b",
      "/docs",
      "/no/such/deep/view/at/all",
    ]
  ) {
    const { status, body } = await app(path, browser);
    assert.equal(status, 200, path);
    const files = [...body.matchAll(/(?:href|src)="([^"]*assets\/[^"]+)"/g)].map(([, file]) => file!);
    assert.ok(files.length >= 2, path);
    for (const below of path.startsWith("/no") ? [""] : ["", "/svc", "/a/b"]) {
      for (const file of files) {
        const address = new URL(file, `https://example.com${below}${path}`).pathname;
        assert.ok(address.startsWith(`${below}/assets/`), `${file} at ${below}${path}`);
        assert.equal((await app(address.slice(below.length))).status, 200);
      }
    }
  }
});
