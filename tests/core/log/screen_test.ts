import assert from "node:assert/strict";
import { Random } from "../../simulation/random.ts";
import { isSound, randomDrawing } from "./drawings.ts";
import { Screen } from "./screen.ts";
import { TestTerminal } from "./terminal_fixture.ts";

/** `SVC_DRAWINGS=5000` plays so many of each kind; `SVC_DRAWINGS_FROM` names the first. */
const count = Number(Deno.env.get("SVC_DRAWINGS") ?? 700);
const from = Number(Deno.env.get("SVC_DRAWINGS_FROM") ?? 1);
const screen = new Screen();

/** What the log holds of a drawing once all has settled: some ms between its operations, and a long rest. */
function logOf(operations: readonly string[]): string {
  const terminal = new TestTerminal();
  for (const operation of operations) terminal.write(operation, { wait: 3 });
  return terminal.write({ wait: 10_000 }).end().text;
}

/** Whether the log, shown, is another picture than the drawing. */
function differs(operations: readonly string[], picture: "lines" | "colours"): boolean {
  const drawn = screen.show(operations.join(""))[picture];
  const shown = screen.show(logOf(operations))[picture];
  return drawn.length !== shown.length || drawn.some((line, i) => line !== shown[i]);
}

/** A drawing as short as it can be made by leaving out operations. */
function shortest(drawing: string[], isFaulty: (shorter: string[]) => boolean): string[] {
  for (let part = drawing.length >> 1; part >= 1; part >>= 1) {
    for (let at = 0; at < drawing.length;) {
      const shorter = drawing.toSpliced(at, part);
      if (isFaulty(shorter)) drawing = shorter;
      else at += part;
    }
  }
  return drawing;
}

function compare(picture: "lines" | "colours"): void {
  for (let seed = from; seed < from + count; seed++) {
    const drawing = randomDrawing(new Random(seed), { hasColours: picture === "colours" });
    if (!differs(drawing, picture)) continue;
    const small = shortest(
      drawing,
      (shorter) =>
        isSound(shorter) && (picture === "lines" || shorter[0] === drawing[0]) && differs(shorter, picture),
    );
    const drawn = screen.show(small.join(""))[picture];
    assert.deepEqual(
      screen.show(logOf(small))[picture],
      drawn,
      `seed ${seed}: ${JSON.stringify(small)}, stored as ${JSON.stringify(logOf(small))}`,
    );
  }
}

Deno.test("Terminal commits what a real terminal shows of random drawings", () => compare("lines"));

Deno.test("Terminal commits the colours too that a real terminal shows", () => compare("colours"));
