import assert from "node:assert/strict";
import { addressOf, addressOfUrl, netUses } from "../../src/core/net_uses.ts";
import { message, notifier, postOf } from "./notify/messages.ts";
import { check, configOf, service, task } from "../support/units.ts";

const pure = { permissions: "none" } as const;

Deno.test("netUses() names the key and the address of each check that opens connections", pure, () => {
  const config = configOf([
    task({ name: "t" }),
    service({ name: "a", healthCheck: check({ kind: "http", url: "https://Example.com/up?token=x" }) }),
    service({ name: "b", healthCheck: check({ kind: "tcp", host: "::1", port: 5432 }) }),
    service({ name: "c", healthCheck: check({ kind: "run", run: "true" }) }),
    service({ name: "d" }),
  ]);
  assert.deepEqual(netUses(config), [
    { key: "services.a.health_check.http", address: "example.com:443" },
    { key: "services.b.health_check.tcp", address: "[::1]:5432" },
  ]);
});

Deno.test("netUses() names pings and the notifiers that leave this machine", pure, () => {
  const config = configOf([task({ name: "t", pingUrl: "https://hc-ping.com/5ab1?x=1" })]);
  config.notify.notifiers = [
    notifier("webhook", { url: "http://user:pw@Hooks.example:8080/secret" }),
    notifier("slack", { url: "https://hooks.slack.com/services/x" }),
    notifier("discord", { url: "https://discord.com/api/webhooks/1/x" }),
    notifier("telegram", { token: "t", chat_id: "1" }),
    notifier("ntfy", { url: "https://ntfy.sh", topic: "ops" }),
    notifier("gotify", { url: "https://[::1]/gotify", token: "t" }),
    notifier("pushover", { token: "t", user: "u" }),
    notifier("smtp", { host: "Mail.example", port: 587, tls: "starttls", from: "a@b", to: ["c@d"] }),
    notifier("sendmail", { path: "/usr/sbin/sendmail", to: ["root"] }),
  ].map((it) => ({ ...it, id: it.type }));
  assert.deepEqual(netUses(config), [
    { key: "tasks.t.ping_url", address: "hc-ping.com:443" },
    { key: "notifiers.webhook", address: "hooks.example:8080" },
    { key: "notifiers.slack", address: "hooks.slack.com:443" },
    { key: "notifiers.discord", address: "discord.com:443" },
    { key: "notifiers.telegram", address: "api.telegram.org:443" },
    { key: "notifiers.ntfy", address: "ntfy.sh:443" },
    { key: "notifiers.gotify", address: "[::1]:443" },
    { key: "notifiers.pushover", address: "api.pushover.net:443" },
    { key: "notifiers.smtp", address: "mail.example:587" },
  ]);
});

Deno.test("netUses() names for each notifier the address that its messages go to", pure, () => {
  const config = configOf([]);
  const notifiers = config.notify.notifiers = [
    notifier("telegram", { token: "t", chat_id: "1" }),
    notifier("pushover", { token: "t", user: "u" }),
    notifier("gotify", { url: "https://push.example/x", token: "t" }),
    notifier("ntfy", { url: "https://ntfy.sh", topic: "ops" }),
  ];
  assert.deepEqual(
    netUses(config).map(({ address }) => address),
    notifiers.map((it) => addressOfUrl(postOf(it, message()).url)),
  );
});

Deno.test("addressOf() and addressOfUrl() spell an address alike", pure, () => {
  assert.equal(addressOfUrl("http://LOCALHOST/x"), addressOf("localhost", 80));
  assert.equal(addressOfUrl("http://user:pw@10.0.0.1:8080"), addressOf("10.0.0.1", 8080));
  assert.equal(addressOfUrl("http://[::1]:80/"), addressOf("::1", 80));
});
