import assert from "node:assert/strict";
import { secretForms } from "../../../src/core/log/secret_forms.ts";
import fc from "fast-check";
import { Masker, maskText } from "../../../src/core/log/mask.ts";
import { planMask } from "../../../src/core/log/mask_plan.ts";

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
  assert.equal(maskText("Basic dXNlcjpodW50ZXIyMg==.", ["hunter22"]), "Basic dXNlcjp[redacted].");
  assert.equal(maskText("nothing to see", [secret]), "nothing to see");
  assert.equal(maskText("\ud800 hunter22", undefined), "\ud800 hunter22");
});

Deno.test(
  "maskText() masks secrets with the habits of those who write JSON, addresses, pages and shell words",
  pure,
  () => {
    const secret = `p@s/w&r<d>=1+'x"\`ö`;
    const u = (text: string, chars: RegExp, isUpper = false): string =>
      text.replace(chars, (char) => {
        const digits = char.charCodeAt(0).toString(16).padStart(4, "0");
        return `\\u${isUpper ? digits.toUpperCase() : digits}`;
      });
    const json = JSON.stringify(secret).slice(1, -1);
    const shown = [
      json.replaceAll("/", "\\/"),
      u(json.replaceAll("/", "\\/"), /ö/g), // PHP
      u(json, /[<>&]/g), // Go
      u(json, /[<>&'=]/g), // Gson
      u(secret, /[<>&'"+`ö]/g, true), // .NET
      JSON.stringify(json).slice(1, -1),
      JSON.stringify(u(json, /ö/g)).slice(1, -1),
      encodeURI(secret),
      "p%40s%2Fw&r%3Cd%3E%3D1+'x%22%60%C3%B6", // the password in an address
      "p@s/w&amp;r&lt;d&gt;=1+'x\"`ö",
      "p@s/w&amp;r&lt;d&gt;=1+&#x27;x&quot;`ö",
      "p@s/w&amp;r&lt;d&gt;=1+&#39;x&#34;`ö",
      "p@s/w&r<d>=1+'\\''x\"`ö", // bash -x
      `p@s/w&r<d>=1+'"'"'x"\`ö`, // dash -x
      `p@s/w&r<d>=1+'x\\"\\\`ö`, // between double quotes
      "p@s/w\\&r\\<d\\>=1+\\'x\\\"\\`ö", // printf %q
    ];
    for (const text of shown) assert.equal(maskText(`a ${text} b`, [secret]), "a [redacted] b", text);
    const plain = [...secretForms("hunter22plain")].filter(([, isBase64]) => !isBase64);
    assert.deepEqual(plain, [["hunter22plain", false]], "what no program changes has one form");
    assert.equal(maskText("a hunter22 b", ["hunter22"]), "a [redacted] b");
  },
);

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

/** The same, whole, cut in two at each byte, and byte by byte. */
function sameInChunks(secrets: readonly string[], text: string, due: string): void {
  const plan = planMask(secrets)!;
  const bytes = new TextEncoder().encode(text);
  const all = Array.from(bytes, (_, at) => [bytes.subarray(0, at), bytes.subarray(at)]);
  all.push(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)));
  for (const chunks of all) {
    const masker = new Masker(plan);
    const out: number[] = [];
    const take = (part: Uint8Array): void => void out.push(...part);
    for (const chunk of chunks) masker.push(chunk, take);
    masker.end(take);
    assert.equal(new TextDecoder("utf-8", { ignoreBOM: true }).decode(new Uint8Array(out)), due);
  }
}

Deno.test("Masker masks a secret with what no viewer shows inside, which it keeps", pure, () => {
  const unseen = [
    ..."\x00\x01\x07\x08\x0b\x0c\x0d\x0e\x0f\x1f\x7f\x80\x85\x9b\x9d\x9f\u00ad",
    ..."\u061c\u200b\u200d\u200e\u202a\u202e\u2060\u2066\u2069\ufeff",
    "\x1b[31m",
    "\x1b[1;38;5;208m\x0e\x0f",
    "\x1b(B",
    "\x1b[3\x01",
    "\x1b]0;title\x07",
    "\x1b]8;;http://x/\x1b\\",
    "\x1bPq\x1b\\",
    "\x9b31m",
    "\x9b?25h\x00",
    "\x9d0;title\x9c",
    "\0".repeat(100),
  ];
  for (const one of unseen) {
    sameInChunks(["hunter22"], `a hun${one}ter22 b`, `a [redacted]${one} b`);
    sameInChunks(["hunter22"], `h${one}unter2${one}2`, `[redacted]${one}${one}`);
    sameInChunks(["hunter22"], `${one}hunter22${one}`, `${one}[redacted]${one}`);
    // What is no secret in the end comes as it was.
    sameInChunks(["hunter22"], `hun${one}ting, hunter2${one}`, `hun${one}ting, hunter2${one}`);
  }
  for (const seen of ["\t", "\n", "\r\n", "é", "\u2400", "—"]) {
    sameInChunks(["hunter22"], `hun${seen}ter22 b`, `hun${seen}ter22 b`);
  }
  sameInChunks(["pass—wört"], "pass\x0e—\u200bwö\x0frt", "[redacted]\x0e\u200b\x0f");
});

Deno.test(
  "Masker masks a secret that holds control characters, also as it is seen without them",
  pure,
  () => {
    sameInChunks(
      ["hun\x01ter22"],
      "hun\x01ter22 hunter22 hun\x1b[mter22",
      "[redacted] [redacted] [redacted]\x1b[m",
    );
  },
);

Deno.test(
  "Masker holds back no more than it must, however much stands inside of what may be a secret",
  pure,
  () => {
    const plan = planMask(["hunter22"])!;
    for (const inside of ["\0", "\x1b[m", "\x1b]0;title", "\u200b", "\x9b31"]) {
      const masker = new Masker(plan);
      const bytes = new TextEncoder().encode(`hun${inside.repeat(30_000 / inside.length)}`);
      let out = 0;
      let most = 0;
      for (let at = 0; at < bytes.length; at += 1000) {
        masker.push(bytes.subarray(at, at + 1000), (part) => void (out += part.length));
        most = Math.max(most, Math.min(bytes.length, at + 1000) - out);
      }
      assert.ok(most <= 8200, `${most} bytes were held back`);
      masker.end((part) => void (out += part.length));
      assert.equal(out, bytes.length);
    }
  },
);

Deno.test("Masker masks base64 that is broken into lines, which it keeps", pure, () => {
  const secret = "s3cr3t-Value-of-24-chars";
  for (const width of [76, 64]) {
    for (const end of ["\n", "\r\n"]) {
      for (let before = 0; before < 60; before++) {
        const encoded = new TextEncoder().encode(`${"x".repeat(before)}${secret} and more behind it`)
          .toBase64();
        const text = encoded.match(new RegExp(`.{1,${width}}`, "g"))!.join(end);
        const shown = maskText(text, [secret]);
        assert.match(shown, /\[redacted\]/, text);
        assert.equal(shown.split(end).length, text.split(end).length);
        const [left = ""] = shown.replaceAll(end, "").split("[redacted]");
        assert.equal(left.length, Math.ceil(before * 8 / 6), "what holds other bits stays");
      }
    }
  }
  const long = "k".repeat(50) + "0123456789".repeat(12);
  const lines = btoa(`ab${long}`).match(/.{1,76}/g)!;
  sameInChunks([long], `${lines.join("\n")}\n`, "YWJ[redacted]\n\n\n\n");
  // Narrower lines are none of base64.
  sameInChunks(["hunter22"], "aHVu\ndGVyMjI\nx aH\nVudGV\nyMjI", "[redacted]\n\nx aH\nVudGV\nyMjI");
});

Deno.test("Masker masks the end of a secret in base64, with what fills it up", pure, () => {
  for (const secret of ["hunter22", "hunter222", "hunter2222"]) {
    for (const before of ["", "u", "us"]) {
      const text = btoa(before + secret);
      assert.match(maskText(`${text} x`, [secret]), /^.{0,3}\[redacted\] x$/);
      assert.match(maskText(`${text.replace(/=+$/, "")}\n`, [secret]), /^.{0,3}\[redacted\]\n$/);
    }
  }
});

Deno.test(
  "Masker waits behind a return that may stand in one secret, or break the base64 of another",
  pure,
  () => {
    // "a" begins the base64 of it, which a return may break into lines.
    sameInChunks(["hhaafe"], "xhhaa\rfe\bx", "x[redacted]\r\bx");
  },
);
