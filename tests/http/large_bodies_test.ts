import assert from "node:assert/strict";
import { alice, authOf } from "../support/auth.ts";
import { makeApp } from "../support/make_app.ts";
import { makeEngine } from "../support/make_engine.ts";
import { param, task } from "../support/units.ts";

const json = { "content-type": "application/json" };

Deno.test("Faults of a request are told up to a hundred, in an answer of its own size at most", async () => {
  const params = Array.from({ length: 20 }, (_, i) => param({ kind: "env", key: `PARAMETER_NUMBER_${i}` }));
  await using t = await makeEngine({ units: [task({ name: "x", params })] });
  const app = makeApp(t);
  const keys = (count: number, key: (i: number) => string): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [key(i), "1"]));
  const bodies: unknown[] = [
    { params: keys(9000, (i) => "-".repeat(100) + i) },
    { params: keys(9000, (i) => `PARAMETER_NUMBER_${i + 100}`) },
    { params: { ["P".repeat(900_000)]: "1" } },
    { params: { PARAMETER_NUMBER_1: "x".repeat(900_000), NO: "x".repeat(1000) } },
    keys(9000, (i) => `field${i}`),
    { params: Object.fromEntries(Array.from({ length: 9000 }, (_, i) => [`p${i}`, i])) },
  ];
  for (const body of bodies) {
    const text = JSON.stringify(body);
    const { status, body: answer } = await app("/api/tasks/x/run", { method: "POST", text, headers: json });
    assert.equal(status, 422, text.slice(0, 50));
    const size = JSON.stringify(answer).length;
    assert.ok(size < 100_000, `${text.slice(0, 50)}: ${size}`);
    assert.ok(answer.errors.length <= 101);
    if (answer.errors.length === 101) assert.match(answer.errors[100].message, /^and 8900 more$/);
  }
});

Deno.test("A body that is nested deeply or holds more than any request does is refused before it is parsed", async () => {
  await using t = await makeEngine({ units: [task({ name: "x" })] });
  const app = makeApp(t);
  const send = async (path: string, text: string) =>
    (await app(path, { method: "POST", text, headers: json })).status;
  assert.equal(await send("/api/runs/bulk/delete", "[".repeat(500_000) + "]".repeat(500_000)), 422);
  assert.equal(await send("/api/runs/bulk/delete", '{"a":'.repeat(100) + "1" + "}".repeat(100)), 422);
  assert.equal(await send("/api/tasks/x/run", JSON.stringify({ params: { a: [[[1]]] } })), 422);
  assert.equal(await send("/api/runs/bulk/delete", `{"ids":[${"1,".repeat(100_000)}1]}`), 422);
  const ids = Array.from({ length: 36_000 }, (_, i) => `01J00000000000000000${100_000 + i}`);
  const text = JSON.stringify({ ids, unknown: 1 });
  const { body } = await app("/api/runs/bulk/delete", { method: "POST", text, headers: json });
  assert.equal(body.detail, 'body.unknown: unknown field "unknown"', "as many ids as there is room for");
});

Deno.test("A login takes 4 KiB at most", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t) });
  const login = async (text: string) =>
    (await app("/api/auth/login", { method: "POST", peer: alice, text, headers: json })).status;
  assert.equal(await login(JSON.stringify({ nonce: "a".repeat(4000), response: "b" })), 401);
  assert.equal(await login(JSON.stringify({ nonce: "a".repeat(4096), response: "b" })), 413);
});
