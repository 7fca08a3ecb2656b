import assert from "node:assert/strict";
import { jsonOf, message, notifier, postOf } from "./messages.ts";

const pure = { permissions: "none" } as const;

const slack = notifier("slack", { url: "https://hooks.slack.com/services/T0/B0/x" });
const discord = notifier("discord", { url: "https://discord.com/api/webhooks/1/x" });
const telegram = notifier("telegram", { token: "123:ABC", chat_id: "-100" });

/** Output that wants to format, to call people, and to be a link. */
const nasty =
  "*a* _b_ ~c~ `d` <!channel> <@U1> @everyone [x](https://evil) ||s|| & \\\n# head\n- item\n1. one";

Deno.test("outgoingOf() sends Slack blocks of plain text", pure, () => {
  const post = postOf(slack, message());
  assert.equal(post.url, "https://hooks.slack.com/services/T0/B0/x");
  assert.deepEqual(jsonOf(post), {
    text: 'Task "backup" failed',
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: "header", text: { type: "plain_text", text: 'Task "backup" failed', emoji: false } },
      {
        type: "section",
        text: { type: "plain_text", text: "exit code 3 after 2.0 s\nlast line: no space left", emoji: false },
      },
      {
        type: "context",
        elements: [
          {
            type: "mrkdwn",
            text: "<https://svc.example/runs/01JZZZZZZZZZZZZZZZZZZZZZZZ|Open in svc>",
            verbatim: true,
          },
          { type: "plain_text", text: "box1, 2027-01-15T12:00:00Z", emoji: false },
        ],
      },
    ],
  });
});

Deno.test("outgoingOf() leaves out of Slack's blocks what is empty, which Slack refuses", pure, () => {
  const { blocks } = jsonOf(postOf(slack, message({ body: "", link: "" })));
  assert.deepEqual((blocks as { type: string }[]).map(({ type }) => type), ["header", "context"]);
  assert.doesNotMatch(JSON.stringify(blocks), /mrkdwn|""/);
});

Deno.test("outgoingOf() writes a link for Slack that ends where it ends", pure, () => {
  const { blocks } = jsonOf(postOf(slack, message({ link: "https://x/?a=1&b=<|>" })));
  const [, , { elements }] = blocks as [unknown, unknown, { elements: { text: string }[] }];
  assert.equal(elements[0]?.text, "<https://x/?a=1&amp;b=&lt;%7C&gt;|Open in svc>");
});

Deno.test("outgoingOf() escapes for Slack, within its limits", pure, () => {
  const { text, blocks } = jsonOf(postOf(slack, message({ title: "<!channel> & ".repeat(30), body: nasty })));
  const [header, section] = blocks as { text: { text: string } }[];
  assert.match(header!.text.text, /^&lt;!channel&gt; &amp; .*…$/);
  assert.ok(header!.text.text.length <= 150);
  assert.match(section!.text.text, /&lt;!channel&gt; &lt;@U1&gt; @everyone .* &amp; /);
  assert.doesNotMatch(`${text}`, /[<>]/);
  const long = jsonOf(postOf(slack, message({ body: "&".repeat(9000) })));
  const part = (long["blocks"] as { text: { text: string } }[])[1]!.text.text;
  assert.ok(part.length <= 3000 && /^(&amp;)+…$/.test(part));
});

Deno.test("outgoingOf() sends Slack a template as plain text", pure, () => {
  const { text, blocks } = jsonOf(
    postOf({ ...slack, template: "{{unit}}: {{body}}" }, message({ body: "<!here>" })),
  );
  assert.equal(text, "backup: &lt;!here&gt;");
  assert.deepEqual(blocks, [{
    type: "section",
    text: { type: "plain_text", text: "backup: &lt;!here&gt;", emoji: false },
  }]);
});

Deno.test("outgoingOf() sends Discord an embed that calls nobody", pure, () => {
  assert.deepEqual(jsonOf(postOf(discord, message())), {
    embeds: [{
      title: 'Task "backup" failed',
      description: "exit code 3 after 2.0 s\nlast line: no space left",
      url: "https://svc.example/runs/01JZZZZZZZZZZZZZZZZZZZZZZZ",
      color: 0xd93f3f,
      timestamp: "2027-01-15T12:00:00Z",
      footer: { text: "box1" },
    }],
    allowed_mentions: { parse: [] },
  });
});

Deno.test("outgoingOf() escapes Markdown for Discord, within its limits", pure, () => {
  const { embeds } = jsonOf(postOf(discord, message({ title: "*".repeat(300), body: nasty })));
  const [{ title, description }] = embeds as [{ title: string; description: string }];
  assert.equal(
    description,
    "\\*a\\* \\_b\\_ \\~c\\~ \\`d\\` \\<!channel> \\<\\@U1> \\@everyone \\[x\\](https://evil) \\|\\|s\\|\\| & \\\\\n" +
      "\\# head\n\\- item\n1\\. one",
  );
  assert.ok(title.length <= 256 && /^(\\\*)+…$/.test(title));
  const long = jsonOf(postOf(discord, message({ body: "_".repeat(9000) })));
  const [embed] = long["embeds"] as [{ description: string }];
  assert.ok(embed.description.length <= 4096 && embed.description.length > 4090);
});

Deno.test("outgoingOf() keeps the markup of a template for Discord, and escapes what is put in", pure, () => {
  const to = { ...discord, template: "**{{unit}}** {{body}}" };
  const { content, allowed_mentions } = jsonOf(postOf(to, message({ unit: "a_b", body: "@everyone" })));
  assert.equal(content, "**a\\_b** \\@everyone");
  assert.deepEqual(allowed_mentions, { parse: [] });
  const long = jsonOf(postOf(to, message({ body: "x".repeat(9000) })));
  assert.match(String(long["content"]), /^\*\*backup\*\* x+…$/);
  assert.equal(String(long["content"]).length, 2000);
});

Deno.test("outgoingOf() writes the title where a template says nothing", pure, () => {
  const { content } = jsonOf(postOf({ ...discord, template: "{{reason}}" }, message({ reason: "" })));
  assert.equal(content, 'Task "backup" failed');
});

Deno.test("outgoingOf() sends Telegram HTML, with output in a block of code", pure, () => {
  const post = postOf(telegram, message({ body: "<b>@all & co" }));
  assert.equal(post.url, "https://api.telegram.org/bot123:ABC/sendMessage");
  assert.deepEqual(jsonOf(post), {
    chat_id: "-100",
    text: "<b>Task &quot;backup&quot; failed</b>\n<pre>&lt;b&gt;@all &amp; co</pre>\n" +
      '<a href="https://svc.example/runs/01JZZZZZZZZZZZZZZZZZZZZZZZ">Open in svc</a>, ' +
      "box1, 2027-01-15T12:00:00Z",
    parse_mode: "HTML",
    link_preview_options: { is_disabled: true },
  });
});

Deno.test("outgoingOf() keeps within Telegram's limit without breaking a tag", pure, () => {
  const { text } = jsonOf(postOf(telegram, message({ body: "<&>".repeat(3000), link: "" })));
  assert.ok(String(text).length <= 4096);
  assert.match(String(text), /^<b>[^<]*<\/b>\n<pre>(&lt;|&amp;|&gt;)+…<\/pre>\nbox1, [^<]*$/);
});

Deno.test(
  "outgoingOf() keeps the tags of a template for Telegram, and calls nobody that output names",
  pure,
  () => {
    const to = { ...telegram, template: "<i>{{unit}}</i> {{body}}" };
    const said = jsonOf(postOf(to, message({ body: "<b> @admin a@ b" })));
    assert.deepEqual([said["text"], said["parse_mode"]], [
      "<i>backup</i> &lt;b&gt; @\u2060admin a@ b",
      "HTML",
    ]);
    const long = jsonOf(postOf({ ...telegram, template: `${"<i>x</i>".repeat(600)}{{unit}}` }, message()));
    assert.equal(long["parse_mode"], undefined);
    assert.equal(String(long["text"]).length, 4096);
  },
);

Deno.test("outgoingOf() keeps a token from leading elsewhere", pure, () => {
  const { url } = postOf(notifier("telegram", { token: "1:a/../../x?y#z", chat_id: "1" }), message());
  assert.equal(new URL(url).pathname, "/bot1:a%2F..%2F..%2Fx%3Fy%23z/sendMessage");
});
