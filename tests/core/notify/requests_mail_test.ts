import assert from "node:assert/strict";
import { mailOf, message, notifier, sendmailOf } from "./messages.ts";

const pure = { permissions: "none" } as const;

const smtp = notifier("smtp", {
  host: "mail.example",
  port: 587,
  tls: "starttls",
  username: "svc",
  password: "pw",
  from: "svc <svc@example.com>",
  to: ["ops@example.com", "boss@example.com"],
});
const local = notifier("sendmail", { path: "/usr/sbin/sendmail", to: ["root@box1", "ops@box1"] });

const text = "exit code 3 after 2.0 s\nlast line: no space left\n" +
  "https://svc.example/runs/01JZZZZZZZZZZZZZZZZZZZZZZZ\nbox1, 2027-01-15T12:00:00Z";

Deno.test("outgoingOf() writes a mail for a mail server", pure, () => {
  assert.deepEqual(mailOf(smtp, message()), {
    do: "mail",
    host: "mail.example",
    port: 587,
    tls: "starttls",
    username: "svc",
    password: "pw",
    from: "svc <svc@example.com>",
    to: ["ops@example.com", "boss@example.com"],
    subject: 'box1: Task "backup" failed',
    text,
  });
});

Deno.test(
  "outgoingOf() greets a mail server with the full name of this machine, where it has one",
  pure,
  () => {
    assert.equal(mailOf(smtp, message({ host: "box1.example.com" })).name, "box1.example.com");
    assert.equal(mailOf(smtp, message({ host: "box1" })).name, undefined);
  },
);

Deno.test("outgoingOf() writes a whole message for sendmail", pure, () => {
  const mail = sendmailOf({ ...local, settings: { ...local.settings, from: "svc <svc@box1>" } }, message());
  assert.deepEqual([mail.path, mail.from, mail.to], ["/usr/sbin/sendmail", "svc <svc@box1>", [
    "root@box1",
    "ops@box1",
  ]]);
  assert.equal(
    mail.text,
    'From: svc <svc@box1>\nTo: root@box1,\n ops@box1\nSubject: box1: Task "backup" failed\n' +
      "Date: Fri, 15 Jan 2027 12:00:00 +0000\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n" +
      `Content-Transfer-Encoding: 8bit\nAuto-Submitted: auto-generated\n\n${text}\n`,
  );
  assert.doesNotMatch(sendmailOf(local, message()).text, /^From:/m);
});

Deno.test("outgoingOf() lets no line break of a title make a header", pure, () => {
  const title = "a\r\nBcc: evil@example.com\r\n\r\nbody";
  assert.equal(mailOf(smtp, message({ title })).subject, "box1: a Bcc: evil@example.com body");
  const [head = ""] = sendmailOf(local, message({ title })).text.split("\n\n");
  assert.match(head, /^Subject: box1: a Bcc: evil@example.com body$/m);
  assert.doesNotMatch(head, /^Bcc/m);
});

Deno.test("outgoingOf() writes headers beyond ASCII as encoded words that lines can hold", pure, () => {
  const title = "Grüße 👩‍👩‍👧‍👦 ".repeat(8).trim();
  const mail = sendmailOf(
    { ...local, settings: { ...local.settings, from: 'Jörg "J" <j@box1>' } },
    message({ title }),
  );
  const [head = ""] = mail.text.split("\n\n");
  assert.ok(head.split("\n").every((line) => line.length <= 78 && /^[\x20-\x7e]*$/.test(line)));
  const subject = /^Subject: ((?:.|\n )*)$/m.exec(head)?.[1] ?? "";
  const decoded = subject.split("\n ").map((word) => {
    const [, base64 = ""] = /^=\?UTF-8\?B\?(.*)\?=$/.exec(word) ?? [];
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.fromBase64(base64));
  }).join("");
  assert.equal(decoded, `box1: ${title}`);
  assert.match(head, /^From: =\?UTF-8\?B\?\S+\?= <j@box1>$/m);
});

Deno.test("outgoingOf() quotes a name that a header may not hold as it is", pure, () => {
  const from = (name: string): string => {
    const mail = sendmailOf({ ...local, settings: { ...local.settings, from: name } }, message());
    return /^From: (.*)$/m.exec(mail.text)?.[1] ?? "";
  };
  assert.equal(from("svc (box1), ops <a@b>"), '"svc (box1), ops" <a@b>');
  assert.equal(from('"svc, ops" <a@b>'), '"svc, ops" <a@b>');
  assert.equal(from("a@b"), "a@b");
});

Deno.test("outgoingOf() writes lines that no mail may hold in base64", pure, () => {
  const { text } = sendmailOf(local, message({ body: "ä".repeat(600) }));
  const [head = "", body = ""] = text.split("\n\n");
  assert.match(head, /^Content-Transfer-Encoding: base64$/m);
  assert.ok(body.split("\n").every((line) => line.length <= 76));
  const decoded = new TextDecoder().decode(Uint8Array.fromBase64(body.replaceAll("\n", "")));
  assert.ok(decoded.startsWith(`${"ä".repeat(600)}\r\nhttps://`));
});

Deno.test("outgoingOf() says by a template what a mail says", pure, () => {
  assert.equal(mailOf({ ...smtp, template: "{{unit}}\n{{body}}" }, message({ body: "b" })).text, "backup\nb");
  assert.match(sendmailOf({ ...local, template: "{{unit}}" }, message()).text, /\n\nbackup\n$/);
});

Deno.test("outgoingOf() keeps a subject short", pure, () => {
  assert.equal(mailOf(smtp, message({ title: "x".repeat(500) })).subject.length, 200);
});
