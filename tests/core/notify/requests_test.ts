import assert from "node:assert/strict";
import { jsonOf, message, notifier, postOf } from "./messages.ts";

const pure = { permissions: "none" } as const;

const url = "https://hooks.example/in";

Deno.test("outgoingOf() sends a webhook the whole message as JSON", pure, () => {
  const post = postOf(notifier("webhook", { url }), message({ count: 2 }));
  assert.deepEqual([post.url, post.headers, post.secret], [
    url,
    { "content-type": "application/json" },
    undefined,
  ]);
  assert.deepEqual(jsonOf(post), {
    schema_version: 1,
    kind: "run.failed",
    severity: "error",
    title: 'Task "backup" failed',
    body: "exit code 3 after 2.0 s\nlast line: no space left",
    unit: "backup",
    run_id: "01JZZZZZZZZZZZZZZZZZZZZZZZ",
    link: "https://svc.example/runs/01JZZZZZZZZZZZZZZZZZZZZZZZ",
    host: "box1",
    at: "2027-01-15T12:00:00Z",
    count: 2,
    is_failure: true,
    reason: "failed",
  });
});

Deno.test("outgoingOf() gives a webhook its headers and its key", pure, () => {
  const headers = { "X-Team": "ops", "Content-Type": "application/vnd.ops+json" };
  const post = postOf(notifier("webhook", { url, headers, secret: "k" }), message());
  assert.deepEqual(post.headers, { "content-type": "application/vnd.ops+json", "x-team": "ops" });
  assert.equal(post.secret, "k");
});

Deno.test(
  "outgoingOf() lets a template replace the body of a webhook, escaped where it is JSON",
  pure,
  () => {
    const said = message({ body: 'a "b"' });
    const json = postOf(notifier("webhook", { url, template: '{"msg": "{{body}}"}' }), said);
    assert.deepEqual([json.body, json.headers["content-type"]], ['{"msg": "a \\"b\\""}', "application/json"]);
    const plain = postOf(notifier("webhook", { url, template: "{{unit}}: {{body}}" }), said);
    assert.deepEqual([plain.body, plain.headers["content-type"]], [
      'backup: a "b"',
      "text/plain; charset=utf-8",
    ]);
  },
);

Deno.test("outgoingOf() takes out of a message what steers a terminal or turns text around", pure, () => {
  const said = message({
    title: "a\r\nBcc: x@y\x1b[31m\u202e",
    body: "one\x1b]0;title\x07\r\n  two\x00\rthree\ud800\n",
    reason: "x\ny",
  });
  const { title, body, reason } = jsonOf(postOf(notifier("webhook", { url }), said));
  assert.deepEqual([title, body, reason], [
    "a Bcc: x@y",
    "one\n  two \nthree\ufffd".replace(" \n", "\n"),
    "x y",
  ]);
});
