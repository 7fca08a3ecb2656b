import assert from "node:assert/strict";
import { decodeSource, noteForeign } from "../../../src/importers/import/decode.ts";
import type { Imported } from "../../../src/importers/import/imported.ts";
import { told } from "./corpus.ts";

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));

Deno.test("decodeSource() takes byte order marks and carriage returns of line ends away", () => {
  assert.deepEqual(decodeSource(bytes("\xef\xbb\xbfa\r\nb\rc\r\n")), { text: "a\nb\rc\n", foreign: [] });
  assert.deepEqual(decodeSource(bytes("\xff\xfea\0\r\0\n\0")), { text: "a\n", foreign: [] });
  assert.deepEqual(decodeSource(bytes("\xfe\xff\0a")), { text: "a", foreign: [] });
  assert.deepEqual(decodeSource(bytes("")), { text: "", foreign: [] });
});

Deno.test("decodeSource() reads what is not UTF-8 as Latin-1, and names its lines", () => {
  assert.deepEqual(decodeSource(bytes("a\n\xe4\nb\n\x80")), { text: "a\nä\nb\n€", foreign: [2, 4] });
});

Deno.test("decodeSource() refuses what is no text", () => {
  assert.deepEqual(decodeSource(bytes("a\nb\0")), { fault: "it is no text: a NUL stands in it", line: 2 });
});

Deno.test("noteForeign() notes each entry on such a line but those that were refused", () => {
  const entry = { file: "/x", what: "job" };
  const imported: Imported = {
    units: [],
    entries: [
      { ...entry, line: 1, fate: { is: "taken" } },
      { ...entry, line: 2, fate: { is: "noted", notes: ["before"] } },
      { ...entry, line: 3, fate: { is: "refused", why: "no" } },
      { ...entry, line: 4, fate: { is: "taken" } },
    ],
  };
  const { entries } = noteForeign(imported, new Map([["/x", [1, 2, 3]]]));
  assert.deepEqual(entries.map(({ fate }) => fate.is), ["noted", "noted", "noted", "refused", "taken"]);
  assert.match(told(entries[2]!), /^before\nit was read as Latin-1/);
  assert.equal(noteForeign(imported, new Map()), imported);
});
