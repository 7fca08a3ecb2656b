import assert from "node:assert/strict";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import type { Mail } from "../../../src/core/notify/outgoing.ts";
import type { Verdict } from "../../../src/core/notify/verdict.ts";
import { type Net, workerNet } from "../../../src/io/net/net.ts";
import { ownCertificate } from "../../../src/io/tls.ts";
import { mailOf, message, notifier } from "../../core/notify/messages.ts";
import { inFolder } from "../../support/folder.ts";

const entry = new URL("../../../main.ts", import.meta.url).href;
const timeout = 10_000;

/** What a mail server took. */
interface Taken {
  user: string;
  isEncrypted: boolean;
  from: string;
  to: string[];
  text: string;
}

/** Does the work with a mail server that knows the user "svc" with the password "pw"; gives back what it took. */
async function withServer(
  options: SMTPServerOptions,
  work: (port: number) => Promise<void>,
): Promise<Taken[]> {
  const taken: Taken[] = [];
  const server = new SMTPServer({
    onAuth({ username, password }, _session, done) {
      if (username === "svc" && password === "pw") done(null, { user: "svc" });
      else done(new Error(`no entry for ${username} with ${password}`));
    },
    onData(stream, session, done) {
      const decoder = new TextDecoder();
      let text = "";
      stream.on("data", (chunk: Uint8Array) => text += decoder.decode(chunk, { stream: true }));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        taken.push({
          user: String(session.user ?? ""),
          isEncrypted: session.secure,
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text,
        });
        done();
      });
    },
    ...options,
  });
  server.on("error", () => {}); // A client that does not trust it hangs up.
  const { promise, resolve } = Promise.withResolvers<void>();
  const listening = server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = listening.address();
  assert.ok(address !== null && typeof address === "object");
  try {
    await work(address.port);
  } finally {
    await new Promise<void>((closed) => server.close(closed));
  }
  return taken;
}

function mailTo(port: number, own: Partial<Mail> = {}): Mail {
  const to = notifier("smtp", {
    host: "127.0.0.1",
    port,
    tls: "off",
    from: "svc <svc@example.com>",
    to: ["ops@example.com", "boss@example.com"],
  });
  return {
    ...mailOf(to, message({ title: "Größe\r\nBcc: evil@example.com", body: "one\n.\nzwölf" })),
    ...own,
  };
}

async function withNet<T>(addresses: string[], work: (net: Net) => Promise<T>): Promise<T> {
  const net = workerNet({ entry, addresses, broke: () => {} });
  try {
    return await work(net);
  } finally {
    net.close();
  }
}

function deliver(mail: Mail, options = { timeout }): Promise<Verdict> {
  return withNet([`${mail.host}:${mail.port}`], (net) => net.deliver(mail, options));
}

/** Delivers where the certificate in a folder is trusted, as `DENO_CERT` has a daemon do. */
async function deliverTrusting(folder: string, mails: Mail[]): Promise<Verdict[]> {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--no-prompt",
      "-q",
      new URL("mail_child.ts", import.meta.url).pathname,
      entry,
      JSON.stringify(mails),
    ],
    env: { DENO_CERT: `${folder}/cert.pem` },
  }).output();
  const text = new TextDecoder().decode(stdout);
  assert.notEqual(text, "", new TextDecoder().decode(stderr));
  return JSON.parse(text);
}

const open: SMTPServerOptions = { authOptional: true, disabledCommands: ["STARTTLS"] };

Deno.test("Net.deliver() hands a mail to a server, and no line break makes a header", async () => {
  const [mail, ...others] = await withServer(open, async (port) => {
    assert.deepEqual(await deliver(mailTo(port)), { is: "sent" });
  });
  assert.deepEqual(others, []);
  assert.deepEqual([mail!.from, mail!.to], ["svc@example.com", ["ops@example.com", "boss@example.com"]]);
  const [head = "", ...body] = mail!.text.split("\r\n\r\n");
  assert.match(head, /^From: svc <svc@example.com>$/m);
  assert.match(head, /^To: ops@example.com, boss@example.com$/m);
  assert.match(head, /^Auto-Submitted: auto-generated$/m);
  assert.match(head, /^Subject: =\?UTF-8\?/m);
  assert.doesNotMatch(head, /^Bcc/mi);
  assert.match(body.join(), /^one\r\n\.\r\nzw=C3=B6lf\r\n/);
});

Deno.test("Net.deliver() logs in over STARTTLS and over TLS, where it knows the server by its certificate", async () => {
  await inFolder(async (folder) => {
    const certificate = await ownCertificate(folder, { names: ["127.0.0.1"], now: Date.now() });
    const login = { username: "svc", password: "pw" };
    for (const [secure, tls] of [[false, "starttls"], [true, "tls"]] as const) {
      const taken = await withServer({ ...certificate, secure }, async (port) => {
        const wrong = { username: "svc", password: "wrong-word" };
        const verdicts = await deliverTrusting(folder, [
          mailTo(port, { tls, ...login }),
          mailTo(port, { tls, ...wrong }),
        ]);
        assert.deepEqual(verdicts[0], { is: "sent" });
        assert.equal(verdicts[1]?.is, "refused");
        // The server of the test repeats the password, which real ones have been seen to do.
        assert.match(JSON.stringify(verdicts[1]), /no entry for svc with \*\*\*/);
      });
      assert.deepEqual(taken.map(({ user, isEncrypted }) => [user, isEncrypted]), [["svc", true]]);
    }
  });
});

Deno.test("Net.deliver() hands nothing to a server whose certificate is another's, or nobody's", async () => {
  await inFolder(async (folder) => {
    const certificate = await ownCertificate(folder, { names: ["other.example"], now: Date.now() });
    const login = { username: "svc", password: "pw" };
    for (const [secure, tls] of [[false, "starttls"], [true, "tls"]] as const) {
      const taken = await withServer({ ...certificate, secure }, async (port) => {
        assert.deepEqual(await deliverTrusting(folder, [mailTo(port, { tls, ...login })]), [
          { is: "again", why: "its certificate is for another name" },
        ]);
        assert.deepEqual(await deliver(mailTo(port, { tls, ...login })), {
          is: "again",
          why: "its certificate is of no authority that this machine trusts",
        });
      });
      assert.deepEqual(taken, []);
    }
  });
});

Deno.test("Net.deliver() sends neither mail nor password in the clear where STARTTLS was asked for", async () => {
  const said: string[] = [];
  const options: SMTPServerOptions = {
    ...open,
    allowInsecureAuth: true,
    onAuth({ username }, _session, done) {
      said.push(String(username));
      done(null, { user: "svc" });
    },
  };
  const taken = await withServer(options, async (port) => {
    assert.deepEqual(await deliver(mailTo(port, { tls: "starttls", username: "svc", password: "pw" })), {
      is: "refused",
      why: 'the server offers no STARTTLS: set "tls" to what it speaks',
    });
  });
  assert.deepEqual([taken, said], [[], []]);
});

Deno.test("Net.deliver() goes by the codes of a mail server", async () => {
  const verdict = async (responseCode: number, words: string): Promise<Verdict> => {
    let found: Verdict | undefined;
    const onRcptTo: SMTPServerOptions["onRcptTo"] = (_address, _session, done) =>
      done(Object.assign(new Error(words), { responseCode }));
    await withServer({ ...open, onRcptTo }, async (port) => {
      found = await deliver(mailTo(port));
    });
    return found!;
  };
  const later = await verdict(451, "greylisted");
  assert.equal(later.is, "again");
  assert.match(JSON.stringify(later), /451 greylisted/);
  assert.equal((await verdict(550, "no such user")).is, "refused");
});

Deno.test("Net.deliver() names the receivers that a server leaves out, and sends the others nothing twice", async () => {
  const onRcptTo: SMTPServerOptions["onRcptTo"] = ({ address }, _session, done) =>
    address.startsWith("boss")
      ? done(Object.assign(new Error("no such user"), { responseCode: 550 }))
      : done();
  const taken = await withServer({ ...open, onRcptTo }, async (port) => {
    assert.deepEqual(await deliver(mailTo(port)), {
      is: "refused",
      why: "the server took it for all receivers but boss@example.com",
    });
  });
  assert.deepEqual(taken.map(({ to }) => to), [["ops@example.com"]]);
});

Deno.test("Net.deliver() gives up on a mail server that says nothing, or never stops", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  const connections: Deno.Conn[] = [];
  const serving = (async () => {
    for await (const connection of listener) {
      connections.push(connection);
      if (connections.length === 1) continue;
      const flood = new TextEncoder().encode(`220-${"x".repeat(1000)}\r\n`.repeat(100));
      const writing = (async () => {
        for (;;) await connection.write(flood);
      })();
      await writing.catch(() => {});
    }
  })();
  const [silent, endless] = await withNet([`127.0.0.1:${port}`], async (net) => [
    await net.deliver(mailTo(port), { timeout: 300 }),
    await net.deliver(mailTo(port), { timeout }),
  ]);
  for (const connection of connections) connection.close();
  listener.close();
  await serving;
  assert.deepEqual(silent, { is: "again", why: "no answer within 300 ms" });
  assert.equal(endless?.is, "again");
});

Deno.test("Net.deliver() lives on, wherever in their conversation mail servers hang up", async () => {
  const greeting = ["220 hello\r\n"];
  const ehlo = [...greeting, "250-hello\r\n250 STARTTLS\r\n"];
  const starttls = [...ehlo, "220 go ahead\r\n"];
  const scripts: [tls: Mail["tls"], lines: string[]][] = [
    ["off", []],
    ["off", ["5"]],
    ["off", greeting],
    ["off", ["421 too busy\r\n"]],
    ["off", ehlo],
    ["off", [...ehlo, "250 sender ok\r\n"]],
    ["off", [...ehlo, "250 sender ok\r\n", "250 receiver ok\r\n", "250 receiver ok\r\n"]],
    ["off", [...ehlo, "250 sender ok\r\n", "250 receiver ok\r\n", "250 receiver ok\r\n", "354 go on\r\n"]],
    ["starttls", starttls],
    ["starttls", [...starttls, "no TLS at all\r\n"]],
    ["tls", []],
    ["tls", ["no TLS at all\r\n"]],
  ];
  const broken: string[] = [];
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  const net = workerNet({ entry, addresses: [`127.0.0.1:${port}`], broke: (why) => broken.push(why) });
  const verdicts: Verdict[] = [];
  for (const [tls, lines] of scripts) {
    const serving = (async () => {
      const connection = await listener.accept();
      for (const [index, line] of lines.entries()) {
        if (index > 0 || tls === "tls") await connection.read(new Uint8Array(4096));
        await connection.write(new TextEncoder().encode(line));
      }
      // What was not read makes it a reset.
      connection.close();
    })();
    verdicts.push(await net.deliver(mailTo(port, { tls }), { timeout }));
    await serving;
  }
  const alive = net.tcp("127.0.0.1", { port, timeout });
  (await listener.accept()).close();
  assert.deepEqual(await alive, { result: "passed" });
  net.close();
  listener.close();
  assert.deepEqual(broken, []);
  assert.deepEqual(verdicts.map(({ is }) => is), scripts.map(() => "again"));
  assert.deepEqual(verdicts[0], { is: "again", why: "the connection was cut" });
  assert.match(JSON.stringify(verdicts[3]), /421 too busy/);
  assert.deepEqual(verdicts.at(-1), { is: "again", why: "it does not speak TLS there" });
});

Deno.test("Net.deliver() says why no mail server was reached, and keeps to the addresses that it was told", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  assert.deepEqual(await deliver(mailTo(port)), { is: "again", why: "the connection was refused" });
  assert.deepEqual(await deliver(mailTo(25, { host: "nowhere.invalid" })), {
    is: "again",
    why: "its name can't be resolved",
  });
  const taken = await withServer(open, async (port) => {
    const verdict = await withNet([], (net) => net.deliver(mailTo(port), { timeout }));
    assert.deepEqual(verdict, {
      is: "refused",
      why: `127.0.0.1:${port} is no address of the configuration in force`,
    });
  });
  assert.deepEqual(taken, []);
});
