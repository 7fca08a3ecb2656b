import assert from "node:assert/strict";
import type { Sendmail } from "../../src/core/notify/outgoing.ts";
import { sendmail } from "../../src/io/sendmail.ts";
import { message, notifier, sendmailOf } from "../core/notify/messages.ts";
import { inFolder } from "../support/folder.ts";
import { gone } from "../support/machine.ts";

const timeout = 10_000;

/** A mail for a stand-in of the program: a script in a folder of its own, which it works in. */
async function withProgram(
  script: string,
  work: (mail: Sendmail, folder: string) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    const path = `${folder}/sendmail`;
    Deno.writeTextFileSync(path, `#!/bin/sh\ncd ${folder}\n${script}\n`, { mode: 0o755 });
    const to = notifier("sendmail", { path, from: "svc <svc@box1>", to: ["ops@box1", "root@box1"] });
    await work(sendmailOf(to, message({ body: "one\n.\nzwölf" })), folder);
  });
}

Deno.test("sendmail() hands the message over on stdin, and nothing on the command line but the sender", async () => {
  await withProgram('cat > mail; printf "%s\\n" "$@" > args', async (mail, folder) => {
    assert.deepEqual(await sendmail(mail, { timeout }), { is: "sent" });
    assert.equal(Deno.readTextFileSync(`${folder}/args`), "-i\n-t\n-f\nsvc@box1\n");
    const text = Deno.readTextFileSync(`${folder}/mail`);
    assert.equal(text, mail.text);
    assert.match(text, /^To: ops@box1,\n root@box1$/m);
    assert.match(text, /\n\none\n\.\nzwölf\n/);
  });
});

Deno.test("sendmail() gives the program nothing of the daemon's environment that it need not know", async () => {
  Deno.env.set("SVC_TEST_SECRET", "hunter2");
  try {
    await withProgram("cat > /dev/null; env > env", async (mail, folder) => {
      assert.deepEqual(await sendmail(mail, { timeout }), { is: "sent" });
      const names = Deno.readTextFileSync(`${folder}/env`).split("\n").map((line) => line.split("=")[0]);
      assert.ok(names.includes("PATH"));
      assert.ok(!names.includes("SVC_TEST_SECRET"));
    });
  } finally {
    Deno.env.delete("SVC_TEST_SECRET");
  }
});

Deno.test("sendmail() goes by the exit code, and says what the program said", async () => {
  await withProgram("cat > /dev/null; echo the queue is full >&2; exit 75", async (mail) => {
    assert.deepEqual(await sendmail(mail, { timeout }), {
      is: "again",
      why: "exit code 75: the queue is full",
    });
  });
  await withProgram("echo no such user >&2; exit 67", async (mail) => {
    assert.deepEqual(await sendmail(mail, { timeout }), { is: "refused", why: "exit code 67: no such user" });
  });
});

Deno.test("sendmail() bounds what a program says", async () => {
  await withProgram("cat > /dev/null; yes | head -c 3000000 | tr -d '\\n' >&2; exit 1", async (mail) => {
    const verdict = await sendmail(mail, { timeout });
    assert.ok(verdict.is === "again" && verdict.why.length < 400);
  });
});

Deno.test("sendmail() kills a program that does not end", async () => {
  await withProgram("echo $$ > pid; exec sleep 100", async (mail, folder) => {
    assert.deepEqual(await sendmail(mail, { timeout: 400 }), {
      is: "again",
      why: "it did not end within 400 ms, and was killed",
    });
    const pid = Deno.readTextFileSync(`${folder}/pid`).trim();
    assert.throws(() => Deno.statSync(`/proc/${pid}`), Deno.errors.NotFound);
  });
});

Deno.test("sendmail() kills what a script waits for, too", async () => {
  await withProgram("sleep 100 & echo $! > pid; wait", async (mail, folder) => {
    assert.equal((await sendmail(mail, { timeout: 400 })).is, "again");
    await gone(Number(Deno.readTextFileSync(`${folder}/pid`)));
  });
});

Deno.test("sendmail() does not wait for what a program leaves behind", async () => {
  await withProgram("cat > /dev/null; sleep 100 & echo $! > pid", async (mail, folder) => {
    assert.deepEqual(await sendmail(mail, { timeout }), { is: "sent" });
    Deno.kill(Number(Deno.readTextFileSync(`${folder}/pid`)), "SIGKILL");
  });
});

Deno.test("sendmail() says that there is no such program, and refuses", async () => {
  await withProgram("true", async (mail) => {
    const verdict = await sendmail({ ...mail, path: "/nowhere/sendmail" }, { timeout });
    assert.ok(verdict.is === "refused" && /^cannot start "\/nowhere\/sendmail": /.test(verdict.why));
  });
});
