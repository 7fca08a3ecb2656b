import assert from "node:assert/strict";
import type { Mail, Post } from "../../../src/core/notify/outgoing.ts";
import { withoutSecrets } from "../../../src/core/notify/secrets.ts";
import { message, notifier, postOf } from "./messages.ts";

const pure = { permissions: "none" } as const;

function hidden(why: string, outgoing: Post | Mail): string {
  const verdict = withoutSecrets({ is: "refused", why }, outgoing);
  return "why" in verdict ? verdict.why : "";
}

Deno.test("withoutSecrets() hides each secret of a request that its receiver repeats", pure, () => {
  const said = message();
  for (
    const [to, secrets] of [
      [notifier("slack", { url: "https://h/services/T024BE7LD/B0244/xoZ99abcdefgh" }), [
        "services/T024BE7LD/B0244/xoZ99abcdefgh",
        "xoZ99abcdefgh",
      ]],
      [
        notifier("webhook", {
          url: "https://me:s3cr%26t@h/in?key=qu%20ery",
          secret: "hmackey",
          headers: { Authorization: "Bearer abcd", "X-Key": "wxyz" },
        }),
        ["s3cr%26t", "s3cr&t", "qu ery", "key=qu%20ery", "hmackey", "abcd", "wxyz"],
      ],
      [notifier("telegram", { token: "123:ABC-def", chat_id: "1" }), ["bot123:ABC-def"]],
      [notifier("ntfy", { url: "https://h", topic: "t", token: "tk_abc" }), ["tk_abc"]],
      [notifier("gotify", { url: "https://h", token: "AbCdEf" }), ["AbCdEf"]],
      [notifier("pushover", { token: "azGDORePK8", user: "uQiRzpo4DX" }), ["azGDORePK8", "uQiRzpo4DX"]],
    ] as const
  ) {
    for (const secret of secrets) {
      assert.equal(hidden(`no "${secret}" here`, postOf(to, said)), 'no "***" here');
    }
  }
});

Deno.test("withoutSecrets() hides the password of a mail, also as a server sees it", pure, () => {
  const mail: Mail = {
    do: "mail",
    host: "h",
    port: 25,
    tls: "off",
    username: "ops",
    password: "hunter2",
    from: "a@b",
    to: [],
    subject: "",
    text: "",
  };
  assert.equal(hidden(`502 AUTH PLAIN ${btoa("\0ops\0hunter2")} hunter2`, mail), "502 AUTH PLAIN *** ***");
});

Deno.test("withoutSecrets() leaves ordinary words alone", pure, () => {
  const post = postOf(notifier("gotify", { url: "https://h/push", token: "AbCdEf" }), message());
  assert.equal(hidden("status 404: no message of a push", post), "status 404: no message of a push");
});

Deno.test("withoutSecrets() leaves words alone that only stand in an ordinary path, too", pure, () => {
  const to = notifier("webhook", { url: "https://h/redirect" });
  const why = "status 302: redirected to https://other, which is not followed";
  assert.equal(hidden(why, postOf(to, message())), why);
  assert.equal(hidden('no "/redirect" here', postOf(to, message())), 'no "***" here');
});
