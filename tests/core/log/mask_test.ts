import assert from "node:assert/strict";
import fc from "fast-check";
import { Masker, maskText, planMask } from "../../../src/core/log/mask.ts";

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

Deno.test("maskText() masks secrets as programs encode them, wherever they begin", pure, () => {
  const secret = 'p@ss/wörd "1"+x';
  const encoder = new TextEncoder();
  const url = (text: string): string => encodeURIComponent(text);
  const shown = [
    secret,
    JSON.stringify({ a: secret }),
    JSON.stringify({ a: secret }).replace(/ö/g, "\\u00f6"),
    `https://h/?q=${url(secret)}&x=1`,
    `https://h/?q=${url(secret).toLowerCase()}&x=1`,
    `q=${url(secret).replaceAll("%20", "+")}&`,
    ...["", "u", "us", "user:"].map((before) => encoder.encode(`${before}${secret}`).toBase64()),
    ...["", "u", "us"].map((before) =>
      encoder.encode(`${before}${secret} z`).toBase64({ alphabet: "base64url" })
    ),
  ];
  for (const text of shown) assert.match(maskText(text, [secret]), /\[redacted\]/, text);
  assert.equal(maskText("Basic dXNlcjpodW50ZXIyMg==.", ["hunter22"]), "Basic dXNlcjp[redacted]g==.");
  assert.equal(maskText("nothing to see", [secret]), "nothing to see");
  assert.equal(maskText("\ud800 hunter22", undefined), "\ud800 hunter22");
});

Deno.test(
  "Masker masks a secret with escape sequences inside, which it keeps, wherever a chunk ends",
  pure,
  () => {
    const text = "a hun\x1b[1;31mte\x1b]8;;http://x/\x1b\\r2\x1b[0m2 b \x1b[3";
    const due = "a [redacted]\x1b[1;31m\x1b]8;;http://x/\x1b\\\x1b[0m b \x1b[3";
    for (let cut = 0; cut <= text.length; cut++) {
      assert.equal(masked(["hunter22"], [text.slice(0, cut), text.slice(cut)]), due);
    }
    assert.equal(masked(["hunter22"], [...text]), due);
    assert.equal(masked(["hunter22"], ["\x1b]0;hunter22\x07"]), "\x1b]0;[redacted]\x07");
    // What is no secret in the end comes as it was.
    assert.equal(masked(["hunter22"], ["hunt", "\x1b[1m", "ing\n"]), "hunt\x1b[1ming\n");
    const endless = `hun${"\x1b[1m".repeat(20_000)}`;
    assert.equal(masked(["hunter22"], endless.match(/[^]{1,3000}/g)!), endless);
  },
);
