import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import type { Post } from "../../../src/core/notify/requests.ts";
import { pingOf } from "../../../src/core/notify/ping.ts";
import type { Verdict } from "../../../src/core/notify/verdict.ts";
import { type Net, workerNet } from "../../../src/io/net/net.ts";
import { ownCertificate } from "../../../src/io/tls.ts";
import { message, notifier, postOf } from "../../core/notify/messages.ts";
import { inFolder } from "../../support/folder.ts";

const entry = new URL("../../../main.ts", import.meta.url).href;
const timeout = 5000;

interface Asked {
  method: string;
  path: string;
  headers: Headers;
  body: string;
}

type Answer = (asked: Asked) => Response | Promise<Response>;

/** Does the work with a receiver of this machine and a network that may reach it; gives back what it was asked. */
async function withReceiver(
  answer: Answer,
  work: (net: Net, server: { port: number; url: string }) => Promise<void>,
): Promise<Asked[]> {
  const all: Asked[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    const asked = { method, path: pathname + search, headers, body: await request.text() };
    all.push(asked);
    return await answer(asked);
  });
  const { port } = server.addr;
  const net = workerNet({ entry, addresses: [`127.0.0.1:${port}`], broke: () => {} });
  try {
    await work(net, { port, url: `http://127.0.0.1:${port}` });
  } finally {
    net.close();
    await server.shutdown();
  }
  return all;
}

/** A request that would go to a service, sent to the receiver of the test instead. */
function sentTo(url: string, post: Post): Post {
  const { pathname, search } = new URL(post.url);
  return { ...post, url: `${url}${pathname}${search}` };
}

function why(verdict: Verdict): string {
  return "why" in verdict ? verdict.why : "";
}

const plain: Post = { do: "post", url: "", headers: { "content-type": "text/plain" }, body: "x" };

Deno.test("Net.deliver() sends each kind of message as its service takes it", async () => {
  const text = (value: unknown): value is string => typeof value === "string" && value !== "";
  const json = (asked: Asked): Record<string, unknown> => {
    assert.equal(asked.headers.get("content-type"), "application/json");
    return JSON.parse(asked.body);
  };
  /** What each service checks, after its public documents, and its answers. */
  const services: Record<string, Answer> = {
    "/services/T0/B0/x": (asked) => {
      const { blocks } = json(asked) as { blocks: { type: string; text?: { text: string } }[] };
      const isRight = blocks.every(({ type, text }) => type === "context" || (text?.text ?? "") !== "");
      return isRight ? new Response("ok") : new Response("invalid_blocks", { status: 400 });
    },
    "/api/webhooks/1/x": (asked) => {
      const { content, embeds } = json(asked);
      return text(content) || Array.isArray(embeds)
        ? new Response(null, { status: 204 })
        : Response.json({ message: "Cannot send an empty message", code: 50006 }, { status: 400 });
    },
    "/bot123:ABC/sendMessage": (asked) => {
      const { chat_id, text: said } = json(asked);
      return chat_id === "-100" && text(said)
        ? Response.json({ ok: true, result: {} })
        : Response.json({ ok: false, error_code: 400, description: "Bad Request" }, { status: 400 });
    },
    "/": (asked) => {
      const isLet = asked.headers.get("authorization") === "Bearer tk_x";
      return Response.json({ topic: json(asked)["topic"] }, { status: isLet ? 200 : 403 });
    },
    "/message": (asked) => {
      const { message, priority } = json(asked);
      const isRight = asked.headers.get("x-gotify-key") === "AbC" && text(message) &&
        typeof priority === "number";
      return Response.json({ id: 1 }, { status: isRight ? 200 : 401 });
    },
    "/1/messages.json": (asked) => {
      const { token, user, message } = json(asked);
      const isRight = token === "app" && user === "me" && text(message);
      return Response.json({ status: isRight ? 1 : 0, request: "x" }, { status: isRight ? 200 : 400 });
    },
    "/hook": (asked) => {
      const isRight = json(asked)["schema_version"] === 1 && asked.headers.get("x-team") === "ops";
      return new Response(null, { status: isRight ? 202 : 400 });
    },
    "/5ab1/fail": ({ body, headers }) =>
      new Response("OK", {
        status: body === "exit code 3" && headers.get("user-agent") === "svc" ? 200 : 400,
      }),
  };
  const answer: Answer = (asked) =>
    services[asked.path]?.(asked) ?? new Response("no such service", { status: 404 });
  const asked = await withReceiver(answer, async (net, { url }) => {
    const posts = [
      notifier("slack", { url: "https://hooks.slack.com/services/T0/B0/x" }),
      notifier("discord", { url: "https://discord.com/api/webhooks/1/x" }),
      notifier("telegram", { token: "123:ABC", chat_id: "-100" }),
      notifier("ntfy", { url: "https://ntfy.sh", topic: "ops", token: "tk_x" }),
      notifier("gotify", { url: "https://push.example", token: "AbC" }),
      notifier("pushover", { token: "app", user: "me" }),
      notifier("webhook", { url: "https://x/hook", headers: { "X-Team": "ops" } }),
    ].map((to) => postOf(to, message({ body: 'a "b" ä\n<!here>' })));
    posts.push(pingOf("https://hc/5ab1", { what: "failure", runId: "R1", body: "exit code 3" }));
    for (const post of posts) {
      assert.deepEqual(await net.deliver(sentTo(url, post), { timeout }), { is: "sent" }, post.url);
    }
  });
  assert.deepEqual(asked.map(({ method }) => method), Array(8).fill("POST"));
});

Deno.test("Net.deliver() signs what has a key, over the time and the body", async () => {
  const to = notifier("webhook", { url: "https://x/in", secret: "k€y" });
  const before = Math.floor(Date.now() / 1000);
  const [asked] = await withReceiver(() => new Response(), async (net, { url }) => {
    await net.deliver(sentTo(url, postOf(to, message({ body: "ä" }))), { timeout });
  });
  const timestamp = asked!.headers.get("x-svc-timestamp") ?? "";
  assert.ok(Number(timestamp) >= before && Number(timestamp) <= Date.now() / 1000);
  const signature = createHmac("sha256", "k€y").update(`${timestamp}.${asked!.body}`).digest("hex");
  assert.equal(asked!.headers.get("x-svc-signature"), `sha256=${signature}`);
});

Deno.test("Net.deliver() judges by status, and says what the receiver says", async () => {
  await withReceiver(({ path }) => {
    const status = Number(path.slice(1));
    return new Response("said so", { status, headers: status === 429 ? { "retry-after": "7" } : {} });
  }, async (net, { url }) => {
    const verdict = (status: number): Promise<Verdict> =>
      net.deliver({ ...plain, url: `${url}/${status}` }, { timeout });
    assert.deepEqual(await verdict(200), { is: "sent" });
    assert.deepEqual(await verdict(429), { is: "again", why: "status 429: said so", after: 7000 });
    assert.deepEqual(await verdict(503), { is: "again", why: "status 503: said so" });
    assert.deepEqual(await verdict(410), { is: "refused", why: "status 410: said so" });
  });
});

Deno.test("Net.deliver() follows no redirect, least of all to an inner address", async () => {
  const inner: string[] = [];
  const secret = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    inner.push(request.url);
    return new Response("inner");
  });
  const target = `127.0.0.1:${secret.addr.port}`;
  await withReceiver(
    ({ path }) => {
      const location = path === "/near" ? "/hook/200" : `http://${target}/latest/meta-data?token=hunter2`;
      return new Response(null, { status: 307, headers: { location } });
    },
    async (net, { port, url }) => {
      const far = await net.deliver({ ...plain, url: `${url}/far` }, { timeout });
      assert.deepEqual(far, {
        is: "refused",
        why:
          `status 307: redirected to http://${target}, which is not followed; give the address that it leads to`,
      });
      assert.match(
        why(await net.deliver({ ...plain, url: `${url}/near` }, { timeout })),
        RegExp(`:${port}, which`),
      );
      // Nor does it go there when it is told to go there at once.
      const direct = await net.deliver({ ...plain, url: `http://${target}/` }, { timeout });
      assert.deepEqual(direct, {
        is: "refused",
        why: `${target} is no address of the configuration in force`,
      });
    },
  );
  await secret.shutdown();
  assert.deepEqual(inner, []);
});

Deno.test("Net.deliver() gives up on a receiver that hangs", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  await withReceiver(() => promise, async (net, { url }) => {
    assert.deepEqual(await net.deliver({ ...plain, url }, { timeout: 100 }), {
      is: "again",
      why: "no answer within 100 ms",
    });
    resolve(new Response());
  });
});

Deno.test("Net.deliver() goes by the status of a receiver whose words never end, and bounds both", async () => {
  let given = 0;
  const endless = (): ReadableStream<Uint8Array> =>
    new ReadableStream({
      pull(controller) {
        given += 16_384;
        controller.enqueue(new Uint8Array(16_384).fill(0x61));
      },
    });
  const slow = (): ReadableStream<Uint8Array> =>
    new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("well, ")) });
  await withReceiver(({ path }) => {
    const [, body, status] = path.split("/");
    return new Response(body === "endless" ? endless() : slow(), { status: Number(status) });
  }, async (net, { url }) => {
    const deliver = (path: string, timeout = 300): Promise<Verdict> =>
      net.deliver({ ...plain, url: `${url}/${path}` }, { timeout });
    assert.deepEqual(await deliver("endless/200"), { is: "sent" });
    assert.deepEqual(await deliver("slow/200"), { is: "sent" });
    given = 0;
    const long = await deliver("endless/400", timeout);
    // Beside the 64 KiB that are read stands what the sockets hold.
    assert.ok(given < 32 * 1024 * 1024, String(given));
    assert.ok(long.is === "refused" && /^status 400: a+…$/.test(long.why) && long.why.length < 400);
    assert.deepEqual(await deliver("slow/500"), { is: "again", why: "status 500: well," });
  });
});

Deno.test("Net.deliver() says in plain words why nobody was reached, and no secret of the address", async () => {
  const net = workerNet({ entry, addresses: [], broke: () => {} });
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  net.allow([`127.0.0.1:${port}`, "nowhere.invalid:443"]);
  const verdicts = [
    await net.deliver({ ...plain, url: `http://user:s3cret@127.0.0.1:${port}/s3cret?t=s3cret` }, { timeout }),
    await net.deliver({ ...plain, url: "https://nowhere.invalid/s3cret" }, { timeout: 30_000 }),
    await net.deliver({ ...plain, url: `http://127.0.0.1:${port}`, headers: { a: "s3\ncret" } }, { timeout }),
    await net.deliver({ ...plain, url: `http://127.0.0.1:${port}`, headers: { a: "s3cr€t" } }, { timeout }),
  ];
  net.close();
  assert.deepEqual(verdicts[0], { is: "again", why: "the connection was refused" });
  assert.deepEqual(verdicts[1], { is: "again", why: "its name can't be resolved" });
  for (const verdict of verdicts.slice(2)) {
    assert.deepEqual(verdict, {
      is: "refused",
      why: "a header of the request holds a character that none may hold",
    });
  }
  assert.doesNotMatch(JSON.stringify(verdicts), /s3|cret/);
});

Deno.test("Net.deliver() hides a secret that a receiver repeats", async () => {
  const answer: Answer = ({ path, headers }) =>
    new Response(`no ${path} ${headers.get("a")}`, { status: 404 });
  await withReceiver(answer, async (net, { url }) => {
    const post = { ...plain, url: `${url}/hooks/T0ken1234?key=qwerty`, headers: { a: "s3cret" } };
    assert.deepEqual(await net.deliver(post, { timeout }), {
      is: "refused",
      why: "status 404: no ***?*** ***",
    });
  });
});

Deno.test("Net.deliver() says that a connection was cut", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  const cutting = (async () => {
    const connection = await listener.accept();
    await connection.read(new Uint8Array(1024));
    connection.close();
  })();
  const net = workerNet({ entry, addresses: [`127.0.0.1:${port}`], broke: () => {} });
  const verdict = await net.deliver({ ...plain, url: `http://127.0.0.1:${port}` }, { timeout });
  net.close();
  await cutting;
  listener.close();
  assert.deepEqual(verdict, { is: "again", why: "the connection was cut" });
});

Deno.test("Net.deliver() trusts no certificate that nobody vouches for, and comes again", async () => {
  await inFolder(async (folder) => {
    const certificate = await ownCertificate(folder, { names: ["127.0.0.1"], now: Date.now() });
    const asked: string[] = [];
    const server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {}, ...certificate },
      (request) => {
        asked.push(request.url);
        return new Response();
      },
    );
    const { port } = server.addr;
    const net = workerNet({ entry, addresses: [`127.0.0.1:${port}`], broke: () => {} });
    const verdict = await net.deliver({ ...plain, url: `https://127.0.0.1:${port}` }, { timeout });
    net.close();
    await server.shutdown();
    assert.deepEqual(verdict, {
      is: "again",
      why: "its certificate is of no authority that this machine trusts",
    });
    assert.deepEqual(asked, []);
  });
});

Deno.test("Net.deliver() comes again where its worker has broken down", async () => {
  const broken = `data:text/javascript,setTimeout(() => { throw new Error("it broke") })`;
  const net = workerNet({ entry: broken, addresses: [], broke: () => {} });
  const verdict = await net.deliver({ ...plain, url: "http://127.0.0.1:9" }, { timeout });
  net.close();
  assert.equal(verdict.is, "again");
  assert.match(why(verdict), /it broke/);
});

Deno.test("Net.deliver() logs in with the name and password of an address, which the receiver does not see in it", async () => {
  const [asked] = await withReceiver(() => new Response(), async (net, { port }) => {
    const url = `http://me:pw%21@127.0.0.1:${port}/in?a=1`;
    assert.deepEqual(await net.deliver({ ...plain, url }, { timeout }), { is: "sent" });
  });
  assert.deepEqual([asked!.path, asked!.headers.get("authorization")], [
    "/in?a=1",
    `Basic ${btoa("me:pw!")}`,
  ]);
});
