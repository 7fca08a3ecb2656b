import assert from "node:assert/strict";
import plugin, { askElsewhere } from "./edges.ts";

Deno.test("askElsewhere() names the one file that may ask", () => {
  const place = "src/io/machine_places.ts";
  assert.equal(askElsewhere("Deno.cwd", "/x/svc/src/local/places.ts"), place);
  assert.equal(askElsewhere("Temporal.Now.timeZoneId", "/x/svc/main.ts"), place);
  assert.equal(askElsewhere("Deno.cwd", `/x/svc/${place}`), undefined);
  assert.equal(askElsewhere("Deno.cwd", "/x/svc/tests/io/x_test.ts"), undefined);
  assert.equal(askElsewhere("Deno.env.get", "/x/svc/tests/soak/main.ts"), undefined);
  assert.equal(askElsewhere("Deno.env.has", "/x/svc/src/local/places.ts"), "src/io/own_variable.ts");
  assert.equal(askElsewhere("Deno.pid", "/x/svc/src/a.ts"), undefined);
  assert.equal(askElsewhere("constructor", "/x/svc/src/a.ts"), undefined);
});

Deno.test("the rule finds each way to ask", () => {
  const text = "Deno.cwd();\nconst zone = Temporal.Now.timeZoneId;\nDeno.pid;\n";
  const found = Deno.lint.runPlugin(plugin, "/x/svc/src/a.ts", text);
  assert.deepEqual(found.map(({ id, range }) => [id, text.slice(...range)]), [
    ["edges/asked-in-one-place", "Deno.cwd"],
    ["edges/asked-in-one-place", "Temporal.Now.timeZoneId"],
  ]);
});
