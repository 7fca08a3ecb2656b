import assert from "node:assert/strict";
import { keeperScript, keeperStart, quoted } from "../../src/core/keeper_script.ts";

const order = {
  runId: "01RUN",
  file: "/data/it's/01RUN",
  bell: "/data/it's/bell",
  setsid: "/usr/bin/setsid",
  env: "/usr/bin/env",
  inherits: false,
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
  const inherits = keeperScript({ ...order, inherits: true, variables: { "a.b": "1", UID: "5" } });
  assert.ok(inherits.includes("\nexec '/usr/bin/setsid' '/usr/bin/env' '--' 'UID=5' '/bin/sh' "), inherits);
});

Deno.test("keeperStart() keeps names that no shell takes off command lines where it can", {
  permissions: "none",
}, () => {
  const [bash, env] = ["/bin/bash", "/bin/env"];
  const plain = { shell: ["/bin/sh"], env: {}, inherits: false };
  assert.deepEqual(keeperStart({ A: "1" }, { bash: undefined, env: undefined }), plain);
  assert.deepEqual(keeperStart({ A: "1", UID: "5" }, { bash, env }), plain);
  const handed = { shell: [bash, "-p"], env: { "a.b": "2" }, inherits: true };
  assert.deepEqual(keeperStart({ A: "1", "a.b": "2" }, { bash, env }), handed);
  assert.deepEqual(keeperStart({ "a.b": "2" }, { bash: undefined, env }), plain);
  assert.deepEqual(keeperStart({ "a.b": "2" }, { bash, env: undefined }), handed);
  assert.equal(keeperStart({ "a.b": "2" }, { bash: undefined, env: undefined }), undefined);
  assert.equal(keeperStart({ UID: "2" }, { bash, env: undefined }), undefined);
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
