import assert from "node:assert/strict";
import { bytes } from "../../../src/core/notify/fit.ts";
import { jsonOf, message, notifier, postOf } from "./messages.ts";

const pure = { permissions: "none" } as const;

const ntfy = notifier("ntfy", { url: "https://ntfy.sh", topic: "ops", token: "tk_x" });
const gotify = notifier("gotify", { url: "https://push.example/gotify/", token: "AbC" });
const pushover = notifier("pushover", { token: "app", user: "me" });

const text = "exit code 3 after 2.0 s\nlast line: no space left\nbox1, 2027-01-15T12:00:00Z";
const link = "https://svc.example/runs/01JZZZZZZZZZZZZZZZZZZZZZZZ";

Deno.test("outgoingOf() publishes JSON to the address of ntfy", pure, () => {
  const post = postOf(ntfy, message());
  assert.equal(post.url, "https://ntfy.sh");
  assert.deepEqual(post.headers, { "content-type": "application/json", authorization: "Bearer tk_x" });
  assert.deepEqual(jsonOf(post), {
    topic: "ops",
    title: 'Task "backup" failed',
    message: text,
    priority: 4,
    tags: ["rotating_light", "run.failed"],
    click: link,
  });
  const bare = postOf(
    notifier("ntfy", { url: "https://n", topic: "t" }),
    message({ link: "", severity: "info" }),
  );
  assert.equal(bare.headers["authorization"], undefined);
  assert.deepEqual([jsonOf(bare)["click"], jsonOf(bare)["priority"]], [undefined, 2]);
});

Deno.test(
  "outgoingOf() counts the bytes of a message to ntfy, which makes files of longer ones",
  pure,
  () => {
    const said = String(jsonOf(postOf(ntfy, message({ body: "ä€".repeat(4000) })))["message"]);
    assert.ok(bytes(said) <= 4096 && bytes(said) > 4090);
    assert.match(said, /^(ä€)+ä?…\nbox1, 2027/);
  },
);

Deno.test("outgoingOf() sends Gotify its message with the token in a header", pure, () => {
  const post = postOf(gotify, message({ severity: "warn" }));
  assert.equal(post.url, "https://push.example/gotify/message");
  assert.equal(post.headers["x-gotify-key"], "AbC");
  assert.deepEqual(jsonOf(post), {
    title: 'Task "backup" failed',
    message: text,
    priority: 5,
    extras: {
      "client::display": { contentType: "text/plain" },
      "client::notification": { click: { url: link } },
    },
  });
});

Deno.test("outgoingOf() sends Pushover its message within its limits", pure, () => {
  const post = postOf(pushover, message());
  assert.equal(post.url, "https://api.pushover.net/1/messages.json");
  assert.deepEqual(jsonOf(post), {
    token: "app",
    user: "me",
    title: 'Task "backup" failed',
    message: text,
    priority: 1,
    timestamp: Date.UTC(2027, 0, 15, 12) / 1000,
    url: link,
    url_title: "Open in svc",
  });
  const long = jsonOf(
    postOf(
      pushover,
      message({ title: "t".repeat(300), body: "b".repeat(3000), link: `https://${"l".repeat(600)}` }),
    ),
  );
  assert.equal(String(long["title"]).length, 250);
  assert.equal(String(long["message"]).length, 1024);
  assert.match(String(long["message"]), /^b+…\nbox1, 2027/);
  assert.equal(long["url"], undefined);
});

Deno.test("outgoingOf() says by a template what the three push", pure, () => {
  for (const to of [ntfy, gotify, pushover]) {
    const post = postOf({ ...to, template: "{{unit}} x{{count}}" }, message({ count: 7 }));
    assert.equal(jsonOf(post)["message"], "backup x7");
  }
});

Deno.test("outgoingOf() never sends the three an empty message", pure, () => {
  for (const to of [ntfy, gotify, pushover]) {
    const post = postOf({ ...to, template: "{{reason}}" }, message({ reason: "" }));
    assert.equal(jsonOf(post)["message"], 'Task "backup" failed');
  }
});
