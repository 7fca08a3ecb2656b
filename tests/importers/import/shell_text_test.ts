import assert from "node:assert/strict";
import { readShell, strictNote } from "../../../src/importers/import/shell_text.ts";

Deno.test("readShell() finds nothing wrong with whole commands", () => {
  const whole = [
    "",
    "true",
    `echo "it's" 'say "x"' \\' \\"`,
    'tar czf "/x/$(date +%F "$(cat a)")" `ls "b c"`',
    "echo $(( (1 + 2) * 3 )) ${A:-'} # it's a remark",
    "case $a in x) echo 1 ;; esac",
    "echo a#'b'",
    "cat <<<word",
    "a && b &",
    "echo \\\\",
  ];
  for (const command of whole) assert.equal(readShell(command).fault, undefined, command);
});

Deno.test("readShell() says what is missing from a command", () => {
  const cut: [command: string, fault: RegExp][] = [
    ["echo 'a", /single quote is never closed/],
    ['echo "a $(b) ', /double quote/],
    ["x $(date +", /bracket/],
    ["x `date +", /backtick/],
    ["echo ${A", /brace/],
    ["a \\", /ends in a backslash/],
    ["a \\\\\\", /ends in a backslash/],
    ["a |", /further command/],
    ["a && ", /further command/],
    ["cat <<EOF | mail", /here-document/],
  ];
  for (const [command, fault] of cut) assert.match(readShell(command).fault ?? "", fault, command);
});

Deno.test("readShell() agrees with a real shell on whether a command is whole", () => {
  const commands = [
    "echo 'a",
    'echo "a',
    "echo $(a",
    "echo `a",
    "echo a",
    "echo 'a'\"b\"",
    "(a; b)",
    "(a",
    "a |",
  ];
  for (const command of commands) {
    const { success } = new Deno.Command("/bin/sh", { args: ["-n", "-c", command], stderr: "null" })
      .outputSync();
    assert.equal(readShell(command).fault === undefined, success, command);
  }
});

Deno.test("readShell() keeps only what stands outside of quotes, at its place", () => {
  const { outside } = readShell(`a 'b;c' "d" \\; e; f # g`);
  assert.equal(outside, "a              e; f    ");
});

Deno.test("strictNote() sees lists over lines, with what stands between them", () => {
  for (const text of ["a\nb", "a\n\nb", "a;\nb", "a\n# remark\nb", "if a; then\nb\nfi\nc"]) {
    assert.match(strictNote(readShell(text)) ?? "", /first command that fails/, JSON.stringify(text));
  }
  for (const text of ["a\n", "a &\nb", "\n\na\n\n", "if a\nthen b\nfi", "a &&\nb"]) {
    assert.equal(strictNote(readShell(text)), undefined, JSON.stringify(text));
  }
});
