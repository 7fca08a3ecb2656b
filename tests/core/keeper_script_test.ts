import assert from "node:assert/strict";
import { canGive, keeperScript, quoted } from "../../src/core/keeper_script.ts";

const order = {
  runId: "01RUN",
  file: "/data/it's/01RUN",
  bell: "/data/it's/bell",
  setsid: "/usr/bin/setsid",
  env: "/usr/bin/env",
  cwd: "/tmp",
  restore: "",
  become: "'/bin/sh' '-c' 'true'",
  variables: {},
};

Deno.test("keeperScript() quotes all that it was given", { permissions: "none" }, () => {
  const script = keeperScript({ ...order, cwd: "/a'b\n", variables: { A: "'; rm x\n'$(x)`x`", B: "" } });
  assert.ok(script.startsWith(`exec 7<>'/data/it'\\''s/01RUN' 3<`), script);
  assert.ok(script.includes(`\ncd -- '/a'\\''b\n' ||`), script);
  assert.ok(script.includes(`\nexport A=''\\''; rm x\n'\\''$(x)\`x\`'\nexport B=''\n`), script);
});

Deno.test("keeperScript() gives variables that no shell can export by env", { permissions: "none" }, () => {
  const script = keeperScript({
    ...order,
    variables: { "a.b": "1 '2", "BASH_FUNC_x%%": "() { :; }", UID: "5", A: "3" },
  });
  const words = [`'a.b=1 '\\''2'`, "'BASH_FUNC_x%%=() { :; }'", "'UID=5'"].join(" ");
  assert.ok(
    script.includes(`\nexport A='3'\nexec '/usr/bin/setsid' '/usr/bin/env' '--' ${words} '/bin/sh' `),
    script,
  );
  assert.equal(canGive({ "a.b": "1" }, undefined), false);
  assert.equal(canGive({ A: "1" }, undefined), true);
  assert.equal(canGive({ "a.b": "1" }, "/usr/bin/env"), true);
});

Deno.test("keeperScript() runs the launcher in the run's own process, before its variables come in", {
  permissions: "none",
}, () => {
  const script = keeperScript({
    ...order,
    launcher: { args: ["a b", "--"], text: "umask 077\n" },
    variables: { A: "1" },
  });
  const places = [
    "3<&- 4<&- 7>&-",
    "set -- 'a b' '--'\numask 077\n",
    "unset PATH PWD",
    "export A=",
    "exec '/usr/bin/setsid'",
  ]
    .map((part) => script.indexOf(part));
  assert.ok(places.every((place, index) => place > (places[index - 1] ?? 0)), script);
});

Deno.test("quoted() makes one word of anything", { permissions: "none" }, () => {
  assert.equal(quoted(""), "''");
  assert.equal(quoted("a'b"), "'a'\\''b'");
});
