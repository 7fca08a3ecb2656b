import assert from "node:assert/strict";
import fc from "fast-check";
import { Masker, planMask } from "../../../src/core/log/mask.ts";

const pure = { permissions: "none" } as const;

/** What is handed on of a text that comes in chunks. */
function masked(secrets: readonly string[], chunks: readonly string[]): string {
  const plan = planMask(secrets);
  if (plan === undefined) return chunks.join("");
  const masker = new Masker(plan);
  const out: Uint8Array[] = [];
  const take = (bytes: Uint8Array): void => void out.push(bytes.slice());
  for (const chunk of chunks) masker.push(new TextEncoder().encode(chunk), take);
  masker.end(take);
  return new TextDecoder().decode(new Uint8Array(out.flatMap((bytes) => [...bytes])));
}

Deno.test("Masker replaces secrets, wherever a chunk ends", pure, () => {
  const text = "a hunter22 b\nhunter2hunter22\nend hunter2";
  for (let cut = 0; cut <= text.length; cut++) {
    assert.equal(
      masked(["hunter22"], [text.slice(0, cut), text.slice(cut)]),
      "a [redacted] b\nhunter2[redacted]\nend hunter2",
    );
  }
  assert.equal(masked(["hunter22"], [...text]), "a [redacted] b\nhunter2[redacted]\nend hunter2");
});

Deno.test("planMask() takes each line of a value, and leaves out what is shorter than six", pure, () => {
  assert.equal(planMask(["short", "", "a\nb"]), undefined);
  const key = "-----BEGIN KEY-----\r\nabcdefgh\nxyz\n";
  assert.equal(masked([key], ["k: abcdefgh xyz -----BEGIN KEY-----"]), "k: [redacted] xyz [redacted]");
});

Deno.test("Masker takes the longest of secrets that begin alike, also when it comes late", pure, () => {
  const secrets = ["abcdef", "abcdefghij"];
  assert.equal(masked(secrets, ["xabcdefg", "hijy abcdefz"]), "x[redacted]y [redacted]z");
  assert.equal(masked(secrets, ["abcdefgh"]), "[redacted]gh");
});

Deno.test("Masker masks what is not ASCII", pure, () => {
  assert.equal(masked(["pässwörd"], ["é pässwörd é"]), "é [redacted] é");
});

Deno.test("Masker agrees with a search of the whole text, whatever the chunks", pure, () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 6, maxLength: 9 });
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 200 });
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 4 }),
      text,
      fc.array(fc.nat(200), { maxLength: 6 }),
      (secrets, whole, cuts) => {
        const longest = secrets.toSorted((a, b) => b.length - a.length);
        const due = whole.replace(new RegExp(longest.join("|"), "g"), "[redacted]");
        const places = [0, ...cuts.map((cut) => Math.min(cut, whole.length)), whole.length].sort((a, b) =>
          a - b
        );
        const chunks = places.slice(1).map((to, i) => whole.slice(places[i], to));
        assert.equal(masked(secrets, chunks), due);
      },
    ),
    { seed: 4, numRuns: 3000 },
  );
});
