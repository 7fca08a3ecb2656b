import assert from "node:assert/strict";
import fc from "fast-check";
import {
  assignment,
  commandWord,
  environmentLine,
  isAllowedVariable,
  restOfLine,
} from "../../../../src/importers/export/systemd/words.ts";
import { assignmentOf, wordsOf } from "./unit_reader.ts";

/** Texts made of what has a meaning to somebody on the way. */
const nasty = fc.array(
  fc.constantFrom(
    ..."\"'\\$%{}()`;#=~!&|<>*?[]-@+:,.aZ09 \t\n\r\x01\x7fäé€😀".split(""),
    "${A}",
    "$$",
    "%i",
    "\\x41",
    "\\n",
  ),
  { maxLength: 30 },
).map((parts) => parts.join(""));

Deno.test("commandWord() reaches the program as the very same words", () => {
  fc.assert(
    fc.property(fc.array(nasty, { minLength: 1, maxLength: 4 }), (words) => {
      const line = words.map(commandWord).join(" ");
      assert.ok(!/[\n\r]/.test(line));
      assert.deepEqual(wordsOf(line), words);
    }),
    { numRuns: 2000 },
  );
});

Deno.test("assignment() sets the very same value", () => {
  fc.assert(
    fc.property(nasty, (value) => {
      assert.deepEqual(assignmentOf(assignment("NAME", value)), ["NAME", value]);
    }),
    { numRuns: 1000 },
  );
  assert.equal(assignment("A", "5$ of 10%"), '"A=5$ of 10%%"');
});

Deno.test("environmentLine() is read back as it was, as a shell reads it, too", async () => {
  const values = ["", " a  b ", 'q"\'`$(id)\\x \\" $HOME %i', "two\nlines\n", "ä€😀", "#no remark"];
  const text = values.map((value, index) => environmentLine(`V${index}`, value)).join("\n");
  const print = values.map((_, index) => `"$V${index}"`).join(" ");
  const { stdout } = await new Deno.Command("sh", {
    args: ["-c", `eval "$1"; printf '%s\\0' ${print}`, "sh", text],
  }).output();
  assert.deepEqual(new TextDecoder().decode(stdout).split("\0").slice(0, -1), values);
});

Deno.test("isAllowedVariable() is false for what systemd drops", () => {
  assert.ok(isAllowedVariable("A_1", "two\nlines\tand more"));
  for (const [name, value] of [["a.b", ""], ["1A", ""], ["A", "\x1b[0m"], ["A", "cr\r"], ["", ""]]) {
    assert.ok(!isAllowedVariable(name!, value!), name);
  }
});

Deno.test("restOfLine() never lets a value go on in the next line", () => {
  for (const text of ["C:\\", "a\\\\", "a\\ b", "two\nlines\\"]) {
    assert.doesNotMatch(restOfLine(text), /\\$|\n/);
  }
  assert.equal(restOfLine("C:\\").trimEnd(), "C:\\");
});
