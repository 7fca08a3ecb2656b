import assert from "node:assert/strict";
import { atMost, type Figure } from "./figures.ts";
import { performancePage } from "./performance.ts";

const where = { cores: 2, memory: 25e9, kernel: "6.1", deno: "2.9.6", load: 0.25, date: "2027-01-15" };

function page(figures: Figure[], bench = "compare"): string {
  return performancePage([{ bench, figures }], where);
}

Deno.test("performancePage() names the machine and the day", () => {
  assert.match(
    page([]),
    /on 2027-01-15: 2 cores, 25 GB of memory, Linux 6\.1, Deno 2\.9\.6, load 0\.3 before/,
  );
});

Deno.test("performancePage() lists figures with their targets, met or missed", () => {
  const text = page([
    atMost(10, { figure: "short", value: 9.876, unit: "ms" }),
    atMost(10, { figure: "long", value: 1234.5, unit: "ms" }),
    { figure: "plain", value: 0.001234, unit: "s" },
  ], "x");
  assert.match(text, /^\| x \| short \| 9\.88 ms \| at most 10: met \|$/m);
  assert.match(text, /^\| x \| long \| 1,235 ms \| at most 10: \*\*missed\*\* \|$/m);
  assert.match(text, /^\| x \| plain \| 0\.00123 s \| {2}\|$/m);
});

Deno.test("performancePage() puts others beside each other, and says where svc is behind", () => {
  const text = page([
    { figure: "memory", of: "svc 1.0", value: 60, unit: "MB" },
    { figure: "rate", of: "svc 1.0", value: 300, unit: "runs/s" },
    { figure: "memory", of: "other 2.0", value: 20, unit: "MB" },
    { figure: "rate", of: "other 2.0", value: 30, unit: "runs/s" },
    { figure: "left out: it isn't there", of: "third", value: NaN, unit: "" },
  ]);
  assert.match(text, /^\| {2}\| unit \| svc 1\.0 \| other 2\.0 \|$/m);
  assert.match(text, /^\| memory \| MB \| 60 \| 20 \|$/m);
  assert.match(text, /^- memory: other 3×$/m);
  assert.doesNotMatch(text, /^- rate/m);
  assert.match(text, /^third was left out: it isn't there\.$/m);
});

Deno.test("performancePage() leaves a cell empty where one has no such figure", () => {
  const text = page([
    { figure: "memory", of: "svc 1.0", value: 60, unit: "MB" },
    { figure: "jobs", of: "cron 3", value: 5, unit: "runs/s" },
  ]);
  assert.match(text, /^\| jobs \| runs\/s \| {2}\| 5 \|$/m);
  assert.match(text, /Nowhere is another of them ahead\./);
});
