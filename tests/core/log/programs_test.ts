import assert from "node:assert/strict";
import { programs } from "./programs.ts";
import { Screen } from "./screen.ts";
import { TestTerminal } from "./terminal_fixture.ts";

const screen = new Screen();

/** Machines, by what they make of a pace: quick ones, and one that is late now and then. */
const machines: Readonly<Record<string, (pace: number) => (i: number) => number>> = {
  "at its pace": (pace) => () => pace,
  "each tenth late by 300 ms": (pace) => (i) => pace + (i % 10 === 9 ? 300 : 0),
  "each twelfth late by 400 ms": (pace) => (i) => pace + (i % 12 === 11 ? 400 : 0),
  "one a second": (pace) => () => Math.max(1000, pace),
};

for (const [name, { pace, draw }] of Object.entries(programs)) {
  for (const [machine, paceOf] of Object.entries(machines)) {
    // A layer that is drawn once in five seconds is a line by then.
    if (name === "docker pull" && machine === "one a second") continue;
    Deno.test(`Terminal commits of ${name}, ${machine}, what a terminal shows`, () => {
      const steps = draw(paceOf(pace));
      const terminal = new TestTerminal();
      for (const [text, wait] of steps) terminal.write(text, { wait });
      terminal.write({ wait: 5000 });
      const shown = screen.show(steps.map(([text]) => text).join("")).lines;
      assert.ok(shown.length > 4);
      assert.deepEqual(screen.show(terminal.text).lines, shown);
      assert.equal(terminal.end().text.split("\n").length, shown.length + 1);
    });
  }
}
