import assert from "node:assert/strict";
import { absenceWords, adoptedWords, takenOverFact, takenOverWords } from "../../src/core/take_over_words.ts";
import { minute, noon } from "../support/units.ts";

const pure = { permissions: "none" } as const;

Deno.test("takenOverWords() says what a daemon took over, and nothing where that was nothing", pure, () => {
  const words = (adopted: number, endedMeanwhile: number) => takenOverWords({ adopted, endedMeanwhile });
  assert.equal(words(0, 0), undefined);
  assert.equal(words(1, 0), "took over 1 run");
  assert.equal(words(12, 3), "took over 12 runs, 3 had ended meanwhile");
  assert.equal(words(0, 1), "took over no run, 1 had ended meanwhile");
  assert.equal(takenOverFact({}), undefined);
  assert.equal(takenOverFact({ adopted: 2, ended_meanwhile: 0 }), "took over 2 runs");
});

Deno.test("adoptedWords() and absenceWords() say when it was, in the zone that is asked for", pure, () => {
  assert.equal(adoptedWords("4 m ago"), "taken over from an earlier daemon 4 m ago");
  const absence = { from: noon, to: noon + minute, timezone: "Europe/Berlin", isExact: true };
  const words =
    "the daemon was not there from 2027-01-15 13:00:00 to 2027-01-15 13:01:00 (1 m 00 s): taken over; " +
    "lines of that time carry the time at which they were read";
  assert.equal(absenceWords(absence), words);
  assert.equal(absenceWords({ ...absence, isExact: false }), `${words}, and some may be doubled or missing`);
});
