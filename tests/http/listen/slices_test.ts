import assert from "node:assert/strict";
import { largestSlice, sliceLength } from "../../../src/http/listen/slices.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

Deno.test("sliceLength() ends a slice with the header, so that a request behind it waits", () => {
  assert.equal(sliceLength(bytes(get + get), { of: "header" }), get.length);
  assert.equal(sliceLength(bytes("GET / HTTP/1.1\n\nGET"), { of: "header" }), 16);
});

Deno.test("sliceLength() passes what has no end yet, up to the largest slice", () => {
  assert.equal(sliceLength(bytes("GET / HT"), { of: "header" }), 8);
  assert.equal(sliceLength(new Uint8Array(largestSlice * 2), { of: "header" }), largestSlice);
});

Deno.test("sliceLength() ends a slice where a header does whose empty line was cut before", () => {
  assert.equal(sliceLength(bytes("\r\n" + get), { of: "header" }), 2);
});

Deno.test("sliceLength() ends a slice with a body whose length was told", () => {
  assert.equal(sliceLength(bytes("12345" + get), { of: "body", left: 5 }), 5);
  assert.equal(sliceLength(bytes("123"), { of: "body", left: 5 }), 3);
});

Deno.test("sliceLength() ends a slice with the last chunk of a body in chunks", () => {
  const last = "3\r\nabc\r\n0\r\n\r\n";
  assert.equal(sliceLength(bytes(last + get), { of: "body", left: undefined }), last.length);
});

Deno.test("sliceLength() always makes progress", () => {
  assert.equal(sliceLength(bytes("\n"), { of: "header" }), 1);
  assert.equal(sliceLength(bytes("x"), { of: "body", left: 0 }), 1);
});
