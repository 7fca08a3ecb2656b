import assert from "node:assert/strict";
import fc from "fast-check";
import { headEnd, parseHead, Unchunker } from "../../src/core/http_answer.ts";

Deno.test(
  "parseHead() reads status and headers, and leaves out what is none",
  { permissions: "none" },
  () => {
    assert.deepEqual(parseHead("HTTP/1.1 404 Not Found\r\nRetry-After:  7 \r\nno header\r\nx: \0"), {
      status: 404,
      headers: [["Retry-After", "7"]],
    });
    assert.deepEqual(parseHead("HTTP/1.0 200"), { status: 200, headers: [] });
    for (const text of ["", "this is no HTTP", "HTTP/2 200", "HTTP/1.1 99", "HTTP/1.1 2000", "SSH-2.0 200"]) {
      assert.equal(parseHead(text), undefined, text);
    }
  },
);

Deno.test("headEnd() finds the empty line, with either line break", { permissions: "none" }, () => {
  assert.deepEqual(headEnd("a\r\n\r\nb"), { length: 1, rest: 5 });
  assert.deepEqual(headEnd("a\n\nb"), { length: 1, rest: 3 });
  assert.equal(headEnd("a\r\n"), undefined);
});

Deno.test("Unchunker gives back any body, however chunks and reads are cut", { permissions: "none" }, () => {
  const parts = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 6 });
  fc.assert(
    fc.property(parts, fc.integer({ min: 1, max: 30 }), (chunks, step) => {
      const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes);
      const sent = chunks.map((chunk) => `${chunk.length.toString(16)};x=1\r\n${latin1(chunk)}\r\n`).join("");
      const wire = Uint8Array.from(`${sent}0\r\n\r\nmore`, (char) => char.charCodeAt(0));
      const unchunker = new Unchunker();
      let body = "";
      for (let at = 0; at < wire.length; at += step) {
        body += latin1(unchunker.push(wire.subarray(at, at + step)));
      }
      assert.equal(body, chunks.map(latin1).join(""));
      assert.equal(unchunker.hasEnded, true);
    }),
    { seed: 65, numRuns: 500 },
  );
  const odd = new Unchunker();
  assert.equal(odd.push(new TextEncoder().encode("what\r\nabc")).length, 0);
  assert.equal(odd.hasEnded, true);
});
