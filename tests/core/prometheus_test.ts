import assert from "node:assert/strict";
import fc from "fast-check";
import { Counter, exposition, Histogram } from "../../src/core/prometheus.ts";

const pure = { permissions: "none" } as const;

Deno.test("exposition() writes HELP and TYPE of each metric, then its lines", pure, () => {
  const text = exposition([
    { name: "a_bytes", help: "How much", type: "gauge", samples: [{ value: 1.5 }] },
    { name: "b_total", help: "None yet", type: "counter", samples: [] },
    {
      name: "c",
      help: "By two",
      type: "gauge",
      samples: [{ labels: { x: "1", y: "2" }, value: -3 }, { labels: {}, value: 1e21 }],
    },
  ]);
  assert.equal(
    text,
    [
      "# HELP a_bytes How much",
      "# TYPE a_bytes gauge",
      "a_bytes 1.5",
      "# HELP b_total None yet",
      "# TYPE b_total counter",
      "# HELP c By two",
      "# TYPE c gauge",
      'c{x="1",y="2"} -3',
      "c 1e+21",
      "",
    ].join("\n"),
  );
});

Deno.test("exposition() of nothing is empty", pure, () => {
  assert.equal(exposition([]), "");
});

Deno.test("exposition() writes numbers that are not finite in the format's words", pure, () => {
  const values = [Infinity, -Infinity, NaN].map((value) => ({ value }));
  const lines = exposition([{ name: "a", help: "x", type: "gauge", samples: values }]).split("\n");
  assert.deepEqual(lines.slice(2), ["a +Inf", "a -Inf", "a NaN", ""]);
});

Deno.test("exposition() escapes backslashes and line ends in help, and quotes too in labels", pure, () => {
  const hostile = 'a\\n"b"\nc';
  const text = exposition([
    { name: "a", help: hostile, type: "gauge", samples: [{ labels: { l: hostile }, value: 0 }] },
  ]);
  assert.equal(
    text,
    '# HELP a a\\\\n"b"\\nc\n# TYPE a gauge\na{l="a\\\\n\\"b\\"\\nc"} 0\n',
  );
});

Deno.test("exposition() lets any label value be read back, on one line", pure, () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("\\", '"', "\n", "n", "}", ",", "é") }), (value) => {
      const text = exposition([{
        name: "a",
        help: "",
        type: "gauge",
        samples: [{ labels: { l: value }, value: 1 }],
      }]);
      const [, , line, rest] = text.split("\n");
      const written = /^a\{l="((?:[^"\\]|\\.)*)"\} 1$/.exec(line!)?.[1];
      assert.equal(rest, "");
      assert.equal(written?.replaceAll(/\\(.)/g, (_, escaped) => escaped === "n" ? "\n" : escaped), value);
    }),
    { seed: 7, numRuns: 300 },
  );
});

Deno.test("Counter adds up for each set of labels, in whatever order they are written", pure, () => {
  const counter = new Counter();
  counter.add({ a: "1", b: "2" });
  counter.add({ b: "2", a: "1" }, 2.5);
  counter.add({ a: "2", b: "1" }, 0);
  assert.deepEqual(counter.samples(), [
    { labels: { a: "1", b: "2" }, value: 3.5 },
    { labels: { a: "2", b: "1" }, value: 0 },
  ]);
  assert.throws(() => counter.add({}, -1), RangeError);
  assert.throws(() => counter.add({}, NaN), RangeError);
});

Deno.test("Histogram counts a value in every bucket whose bound it does not exceed", pure, () => {
  const histogram = new Histogram([1, 5]);
  for (const value of [0, 1, 1.5, 5, 7]) histogram.observe(value, { t: "x" });
  const text = exposition([{ name: "h", help: "x", type: "histogram", samples: histogram.samples() }]);
  assert.deepEqual(text.split("\n").slice(2), [
    'h_bucket{t="x",le="1"} 2',
    'h_bucket{t="x",le="5"} 4',
    'h_bucket{t="x",le="+Inf"} 5',
    'h_sum{t="x"} 14.5',
    'h_count{t="x"} 5',
    "",
  ]);
});

Deno.test("Histogram shows what was mentioned before anything was observed", pure, () => {
  const histogram = new Histogram([1]);
  assert.deepEqual(histogram.samples(), []);
  histogram.mention();
  assert.deepEqual(histogram.samples().map(({ value }) => value), [0, 0, 0, 0]);
  histogram.observe(2);
  histogram.mention();
  assert.deepEqual(histogram.samples().map(({ value }) => value), [0, 1, 2, 1]);
});
