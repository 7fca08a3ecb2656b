import assert from "node:assert/strict";
import { bytes, cut, fit } from "../../../src/core/notify/fit.ts";

const pure = { permissions: "none" } as const;

Deno.test("cut() leaves what fits, and ends the rest at a whole character", pure, () => {
  assert.equal(cut("abc", 3), "abc");
  assert.equal(cut("abcd", 3), "ab…");
  assert.equal(cut("ab cd", 4), "ab…");
  assert.equal(cut("a👍🏽b", 4), "a…");
  assert.equal(cut("a👍🏽bcd", 6), "a👍🏽…");
  assert.equal(cut("e\u0301e\u0301e\u0301", 4), "e\u0301…");
  assert.equal(cut("abc", 0), "");
});

Deno.test("cut() measures in bytes where a limit is in bytes", pure, () => {
  assert.equal(cut("äöü", 6, { size: bytes }), "äöü");
  assert.equal(cut("äöüß", 7, { size: bytes }), "äö…");
  assert.equal(cut("äöü", 2, { size: bytes }), "");
});

Deno.test("cut() fits every text into every limit, and never splits a character", pure, () => {
  const text = "Zu groß: 👩‍👩‍👧‍👦 naïve e\u0301 日本語 🇩🇪";
  for (const size of [(it: string) => it.length, bytes]) {
    for (let limit = 0; limit <= size(text); limit++) {
      const short = cut(text, limit, { size });
      assert.ok(size(short) <= limit, `${limit}: ${short}`);
      assert.ok(short.isWellFormed());
      assert.ok(short === "" || short === text || text.startsWith(short.slice(0, -1)));
    }
  }
});

Deno.test("fit() shortens the body alone until what is made of it fits, and not more", pure, () => {
  const render = (body: string): string => `<${body.replaceAll("&", "&amp;")}>`;
  assert.equal(fit("a&b", { limit: 9, render }), "<a&amp;b>");
  assert.equal(fit("a&b&c", { limit: 9, render }), "<a&amp;…>");
  assert.equal(fit("&".repeat(5000), { limit: 4096, render }).length, 4093);
});

Deno.test("fit() cuts what surrounds the body only where that alone is too long", pure, () => {
  assert.equal(fit("body", { limit: 5, render: (body) => `${body}123456` }), "1234…");
});
