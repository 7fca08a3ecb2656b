import assert from "node:assert/strict";
import fc from "fast-check";
import { type SseEvent, SseParser } from "../../src/core/sse_parser.ts";

const text = fc.stringMatching(/^[a-z :{}"äß]{0,12}$/);
const event = fc.record({
  name: fc.constantFrom("line", "done", "message"),
  id: fc.option(fc.stringMatching(/^\d{1,4}$/), { nil: undefined }),
  lines: fc.array(text, { minLength: 1, maxLength: 3 }),
  comment: fc.boolean(),
});

Deno.test("SseParser gives the same events however the text is cut, with every line end", {
  permissions: "none",
}, () => {
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 5 }),
      fc.constantFrom("\n", "\r\n", "\r"),
      fc.array(fc.nat(6), { maxLength: 60 }),
      (events, end, cuts) => {
        const stream = events.map(({ name, id, lines, comment }) =>
          [
            ...comment ? [": passed over"] : [],
            ...id === undefined ? [] : [`id: ${id}`],
            `event: ${name}`,
            ...lines.map((line) => `data: ${line}`),
            "",
            "",
          ].join(end)
        ).join("");
        const parser = new SseParser();
        const found: SseEvent[] = [];
        let rest = stream;
        for (const cut of cuts) {
          found.push(...parser.push(rest.slice(0, cut)));
          rest = rest.slice(cut);
        }
        // A lone carriage return at the very end may be half of a line end.
        found.push(...parser.push(`${rest}: end\n`));
        assert.deepEqual(
          found,
          events.map(({ name, id, lines }) => ({
            name,
            data: lines.join("\n"),
            ...id === undefined ? {} : { id },
          })),
        );
      },
    ),
    { seed: 3, numRuns: 300 },
  );
});

Deno.test(
  "SseParser gives nothing for an event that has not ended, or has no data",
  { permissions: "none" },
  () => {
    const parser = new SseParser();
    assert.deepEqual(parser.push("event: ping\n\ndata: half"), []);
    assert.deepEqual(parser.push("\n\n"), [{ name: "message", data: "half" }]);
  },
);
