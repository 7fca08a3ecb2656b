import assert from "node:assert/strict";
import { shellCommand } from "../../../../src/importers/import/words.ts";
import type { Specifiers } from "../../../../src/importers/import/systemd/specifiers.ts";
import { substitute } from "../../../../src/importers/import/systemd/specifiers.ts";
import { parseTimeSpan } from "../../../../src/importers/import/systemd/time_span.ts";
import { unitCommands, unitWords } from "../../../../src/importers/import/systemd/unit_words.ts";

const specifiers: Specifiers = {
  name: "a-b@c-d.service",
  hostname: "app01.example",
  isUser: false,
  path: "/etc/x/a",
};

const variables = { env: new Map<string, string>(), hasFiles: false };

function words(value: string): string[] | string {
  const found = unitWords(value);
  return "fault" in found ? found.fault : found.words.map(({ text }) => text);
}

function commands(value: string): string[] | string {
  const found = unitCommands(value, { specifiers, variables });
  return "fault" in found ? found.fault : found.commands.map((one) => shellCommand(one.words));
}

Deno.test("unitWords() reads quotes and escapes as systemd does", () => {
  assert.deepEqual(words(`a "b 'c'" 'd "e"' f\\x20g \\163 h\\si \\z`), [
    "a",
    "b 'c'",
    'd "e"',
    "f g",
    "s",
    "h i",
    "\\z",
  ]);
  assert.match(String(words(`a "b`)), /double quote is never closed/);
});

Deno.test("unitCommands() splits $X alone at blanks, keeps ${X} as one word, and leaves other dollars alone", () => {
  assert.deepEqual(commands("/bin/a $X ${X} a${X}b a$X $$X '$X' \"${X} $$\""), [
    `/bin/a \${X} "\${X}" a"\${X}"b 'a$X' '$X' \${X} "\${X}"' $'`,
  ]);
});

Deno.test("unitCommands() splits the value of $X outside of its quotes, and tells where it can't", () => {
  // The example of systemd.service(5), and what else quotes may do.
  const env = new Map([
    ["ONE", "one"],
    ["TWO", "'two two' too"],
    ["THREE", ""],
    ["ODD", `a"b c"'d' \\"e "open end`],
  ]);
  const of = (hasFiles: boolean) => {
    const found = unitCommands("/bin/a $ONE $TWO $THREE $ODD", { specifiers, variables: { env, hasFiles } });
    assert.ok("commands" in found);
    return found.commands[0]!;
  };
  assert.deepEqual(
    shellCommand(of(false).words),
    `/bin/a \${ONE} 'two two' too \${THREE} 'ab cd' '"e' 'open end'`,
  );
  assert.equal(shellCommand(of(true).words), "/bin/a ${ONE} ${TWO} ${THREE} ${ODD}");
  assert.match(of(true).notes.join(), /\$TWO is split at its blanks, and its quotes stay/);
});

Deno.test("unitCommands() splits commands at a semicolon that stands alone, and keeps one that is escaped", () => {
  assert.deepEqual(commands(`/bin/a x ; -/bin/b \\; y ";"`), ["/bin/a x", "/bin/b ';' y ';'"]);
});

Deno.test("unitCommands() understands the signs in front of a program", () => {
  const of = (value: string) => {
    const found = unitCommands(value, { specifiers, variables });
    assert.ok("commands" in found);
    return found.commands[0]!;
  };
  assert.equal(of("-/bin/a").isIgnored, true);
  assert.equal(shellCommand(of(":/bin/a $X ${Y}").words), "/bin/a '$X' '${Y}'");
  assert.equal(shellCommand(of("-@/bin/a b c").words), "/bin/a c");
  assert.match(of("+/bin/a").notes.join(), /rights/);
});

Deno.test("putIn() puts specifiers in, and says which can't be known", () => {
  const of = (text: string) => {
    const found = substitute(text, specifiers);
    return "fault" in found ? found.fault : found.text;
  };
  assert.equal(of("%n %N %p %i %I %j %% 5% %l %t"), "a-b@c-d.service a-b@c-d a-b c-d c/d b % 5% app01 /run");
  assert.match(of("%m"), /%m can't be put in/);
  assert.deepEqual(substitute("%h/x", { ...specifiers, isUser: true, home: "/home/u" }), {
    text: "/home/u/x",
    fixed: ["%h"],
  });
});

Deno.test.each([
  ["90", 90_000],
  ["2s 500ms", 2500],
  ["1min30s", 90_000],
  ["1.5h", 5_400_000],
  ["infinity", Infinity],
  ["2 weeks", 1_209_600_000],
  ["", undefined],
  ["5 parsecs", undefined],
  ["-5s", undefined],
])("parseTimeSpan() reads %s", (text, ms) => {
  assert.equal(parseTimeSpan(String(text)), ms);
});
