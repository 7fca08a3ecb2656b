import assert from "node:assert/strict";
import { contrast, spanStyle } from "../../../ui/log/span_style.ts";

type Rgb = [number, number, number];

const [sheet, tokens] = await Promise.all(
  ["log/log.css", "style.css"].map((path) =>
    Deno.readTextFile(new URL(`../../../ui/${path}`, import.meta.url))
  ),
) as [string, string];

/** The colours of a token in the light and the dark theme. */
function token(text: string, name: string): [light: Rgb, dark: Rgb] {
  const match = new RegExp(`--${name}: light-dark\\(#(\\w{6}), #(\\w{6})\\)`).exec(text);
  assert.ok(match, name);
  return [hex(match[1]!), hex(match[2]!)];
}

function hex(text: string): Rgb {
  return [0, 2, 4].map((at) => parseInt(text.slice(at, at + 2), 16)) as Rgb;
}

Deno.test("The sixteen colours can be read on every ground of a line, and as grounds, in both themes", () => {
  for (const ground of ["raised", "sunken", "accent-ground", "warn-ground"]) {
    const grounds = token(tokens, ground);
    for (let i = 0; i < 16; i++) {
      for (const theme of [0, 1] as const) {
        const found = contrast(token(sheet, `log-${i}`)[theme], grounds[theme]);
        assert.ok(found >= 4.5, `colour ${i} on ${ground}, ${["light", "dark"][theme]}: ${found.toFixed(2)}`);
      }
    }
  }
});

Deno.test("spanStyle() brings any colour to where it can be read in both themes", () => {
  for (const fg of [[255, 255, 0], [0, 0, 128], [255, 255, 255], [0, 0, 0], [120, 120, 120]] as const) {
    const { style } = spanStyle({ text: "x", fg });
    const colors = [...(style?.color ?? "").matchAll(/rgb\((\d+) (\d+) (\d+)\)/g)].map(([, ...parts]) =>
      parts.map(Number) as Rgb
    );
    assert.ok(contrast(colors[0]!, [255, 255, 255]) >= 4.5);
    assert.ok(contrast(colors[1]!, [24, 28, 31]) >= 4.5);
  }
  assert.deepEqual(
    spanStyle({ text: "x", fg: [80, 60, 200] }).style?.color?.startsWith("light-dark(rgb(80 60 200)"),
    true,
  );
});

Deno.test("spanStyle() gives a ground the text that can be read on it", () => {
  assert.deepEqual(spanStyle({ text: "x", fg: 7, bg: 1 }), { class: "log-bg1" });
  assert.deepEqual(spanStyle({ text: "x", bg: [255, 200, 0] }), {
    style: { backgroundColor: "rgb(255 200 0)", color: "#000" },
  });
  assert.deepEqual(spanStyle({ text: "x", isInverse: true, fg: 2 }), { class: "log-bg2" });
  assert.deepEqual(spanStyle({ text: "x", isInverse: true }), { class: "log-inverse" });
  assert.deepEqual(spanStyle({ text: "x", isBold: true, isDim: true }), { class: "log-dim log-bold" });
  assert.deepEqual(spanStyle({ text: "x" }), {});
});
