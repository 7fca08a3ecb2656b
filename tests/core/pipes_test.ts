import assert from "node:assert/strict";
import { hasPipe, unheededPipes } from "../../src/core/pipes.ts";
import { service, task } from "../support/units.ts";

const pure = { permissions: "none" } as const;

Deno.test("hasPipe() finds pipes in commands", pure, () => {
  for (
    const script of [
      "pg_dump shop | gzip > x.gz",
      "a|b",
      "a |\n  b",
      "a |& tee log",
      'x=$(a | b)\necho "$x"',
      "case $1 in\n  -h|--help) a | b ;;\nesac",
      "a || b | c",
    ]
  ) assert.equal(hasPipe(script), true, script);
});

Deno.test("hasPipe() takes no text and no pattern for one", pure, () => {
  for (
    const script of [
      "a || b",
      "echo 'a | b' \"c | d\" e\\|f",
      "# a | b\ntrue # c | d",
      "case $1 in\n  -h | --help) exit ;;\n  (a|b) true ;;\nesac",
      "cat <<'END'\n| a | b |\nEND\ntrue",
      "echo x >| file",
    ]
  ) assert.equal(hasPipe(script), false, script);
});

Deno.test("unheededPipes() leaves out who has pipefail, and shells that are none", pure, () => {
  const run = "a | b";
  const units = [
    task({ name: "a", run }),
    task({ name: "b", run, pipefail: true }),
    service({ name: "c", run, shell: "/usr/bin/python3" }),
    service({ name: "d", run: "exec web" }),
  ];
  assert.deepEqual(unheededPipes(units).map(({ name }) => name), ["a"]);
});
