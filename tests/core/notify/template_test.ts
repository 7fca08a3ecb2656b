import assert from "node:assert/strict";
import { faultOfTemplate, fill, fillJson, placeholders } from "../../../src/core/notify/template.ts";
import { message } from "./messages.ts";

const pure = { permissions: "none" } as const;

Deno.test("fill() puts every placeholder in", pure, () => {
  const template = placeholders.map((name) => `{{${name}}}`).join("|");
  assert.equal(
    fill(template, message({ body: "b", count: 3 })),
    'Task "backup" failed|b|backup|run.failed|error|https://svc.example/runs/01JZZZZZZZZZZZZZZZZZZZZZZZ|' +
      "01JZZZZZZZZZZZZZZZZZZZZZZZ|box1|2027-01-15T12:00:00Z|3|failed",
  );
});

Deno.test("fill() does not look again at what was put in, nor takes signs of it for its own", pure, () => {
  assert.equal(fill("{{ body }} {{unit}}", message({ body: "{{host}} $& $1" })), "{{host}} $& $1 backup");
});

Deno.test("fill() escapes values, not the template", pure, () => {
  const escape = (value: string): string => value.replaceAll("<", "&lt;");
  assert.equal(fill("<b>{{body}}</b>", message({ body: "<i>" }), { escape }), "<b>&lt;i></b>");
});

Deno.test("fillJson() escapes inside of texts, and writes whole values elsewhere", pure, () => {
  const said = message({ title: 'a "b" \\', body: "line\n\u2028two", count: 2 });
  const json = fillJson(
    '{"text": "{{title}}: {{body}}", "n": {{count}}, "u": {{unit}}, "{{unit}}": 1}',
    said,
  );
  assert.deepEqual(JSON.parse(json ?? ""), {
    text: 'a "b" \\: line\n\u2028two',
    n: 2,
    u: "backup",
    backup: 1,
  });
});

Deno.test("fillJson() keeps output from adding keys of its own", pure, () => {
  const json = fillJson('{"text":"{{body}}"}', message({ body: '","channel":"#all' }));
  assert.deepEqual(JSON.parse(json ?? ""), { text: '","channel":"#all' });
});

Deno.test("fillJson() takes only objects and lists for JSON", pure, () => {
  assert.equal(fillJson("{{title}}", message()), undefined);
  assert.equal(fillJson("{{count}}", message()), undefined);
  assert.equal(fillJson("{ no JSON: {{title}} }", message()), undefined);
  assert.equal(fillJson('["{{kind}}"]', message()), '["run.failed"]');
});

Deno.test("faultOfTemplate() names an unknown placeholder and the nearest known one", pure, () => {
  assert.equal(faultOfTemplate("{{title}}{{ body }} {x} {{"), undefined);
  assert.equal(faultOfTemplate("{{titel}}"), "unknown placeholder {{titel}}: did you mean {{title}}?");
  assert.equal(faultOfTemplate("{{runid}}"), "unknown placeholder {{runid}}: did you mean {{run_id}}?");
  assert.match(
    faultOfTemplate("{{ .Title | upper }}") ?? "",
    /^unknown placeholder .*known are \{\{title\}\} /,
  );
  assert.match(faultOfTemplate("{{}}") ?? "", /^unknown placeholder \{\{\}\}: known are/);
});
