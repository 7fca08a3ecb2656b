import assert from "node:assert/strict";
import { configJson } from "../../../src/http/config_json.ts";
import { config } from "./memory.ts";

Deno.test("loadConfig() names the variables that are put into secret places, and no others", {
  permissions: "none",
}, () => {
  const names = [..."ABCDEFGHIJKLMNOPQ"].map((letter) => `VAR_${letter}`);
  const env = Object.fromEntries([...names, "HOME", "USER"].map((name) => [name, `value-of-${name}`]));
  const { secretVariables } = config({
    "/c/svc.toml": `
      [defaults]
      secrets = { A = "\${VAR_A}" }
      env = { OPEN = "\${VAR_B}", BOTH = "\${VAR_A}" }
      [tasks.t]
      run = "echo \${VAR_C}"
      description = "\${VAR_D}"
      ping_url = "https://ping.example/\${VAR_E}"
      hook_tokens = [{ token = "\${VAR_F}-0123456789abcdef0123456789abcdef", allow = ["run"] }]
      secrets = { H = "\${HOME}/\${USER}", X = "\${NOT_SET:-\${VAR_G:-x}}", Y = "\${VAR_H:-\${VAR_I}}", Z = "\${file:\${VAR_J}}" }
      [notifiers.hook]
      type = "webhook"
      url = "https://chat.example/\${VAR_K}"
      headers = { Authorization = "Bearer \${VAR_L}" }
      [services.s]
      run = "x"
      [services.s.health_check]
      http = "http://user:\${VAR_M}@127.0.0.1/\${VAR_N}?key=\${VAR_O}"
      [compose.c]
      file = "c.yml"
      project_name = "\${VAR_P}"
      [compose.c.web]
      secrets = { Q = "\${VAR_Q}" }
    `.replace("VAR_P}", "VAR_P:-p}"),
    "/c/c.yml": "services: {web: {image: x}}",
    "/c/value-of-VAR_J": "from a file",
  }, { env });
  const expected = ["A", "E", "F", "G", "H", "K", "L", "M", "O", "Q"].map((letter) => `VAR_${letter}`);
  assert.deepEqual(secretVariables, expected);
});

Deno.test("configJson() shows neither names nor values of secret variables", { permissions: "none" }, () => {
  const text = '[tasks.t]\nrun = "x"\nsecrets = { A = "${MY_VARIABLE}" }\n';
  const loaded = config(text, { env: { MY_VARIABLE: "hunter2hunter2" } });
  assert.deepEqual(loaded.secretVariables, ["MY_VARIABLE"]);
  const shown = JSON.stringify(configJson(loaded, { timezone: "UTC", mask: (_, text) => text }));
  assert.doesNotMatch(shown, /MY_VARIABLE|hunter2/);
});
