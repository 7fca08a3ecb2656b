import assert from "node:assert/strict";
import { placeholders } from "../../src/core/notify/template.ts";
import type { NotifierType } from "../../src/types.ts";
import { config } from "../core/config/memory.ts";
import { jsonOf, message, notifier, postOf } from "../core/notify/messages.ts";

const page = await Deno.readTextFile(new URL("../../docs/notifications.md", import.meta.url));

/** The examples of the page in one language. */
function examples(language: string): string[] {
  return [...page.matchAll(RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(([, block]) => block!);
}

Deno.test("every configuration of docs/notifications.md is one", () => {
  const all = examples("toml");
  assert.ok(all.length >= 2);
  for (const text of all) {
    const { notify } = config(
      { "/c/svc.toml": text, "/etc/svc/slack-url": "https://hooks.slack.com/services/x\n" },
      { env: { NTFY_TOKEN: "tk_x", MAIL_PASSWORD: "pw" } },
    );
    assert.ok(notify.notifiers.length > 0);
    for (const to of notify.notifiers.filter(({ type }) => type === "webhook")) jsonOf(postOf(to, message()));
  }
});

Deno.test("docs/notifications.md shows what a webhook is sent", () => {
  const [shown] = examples("json");
  const sent = jsonOf(postOf(notifier("webhook", { url: "https://x" }), message()));
  assert.deepEqual(JSON.parse(shown!), sent);
});

Deno.test("docs/notifications.md names each placeholder and each type", () => {
  for (const name of placeholders) assert.ok(page.includes(`\`{{${name}}}\``), name);
  const types: Record<NotifierType, true> = {
    webhook: true,
    slack: true,
    discord: true,
    telegram: true,
    ntfy: true,
    gotify: true,
    pushover: true,
    smtp: true,
    sendmail: true,
  };
  for (const type of Object.keys(types)) assert.match(page, RegExp(`^\\| \`${type}\` `, "m"));
});
