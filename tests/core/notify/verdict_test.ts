import assert from "node:assert/strict";
import { reasonWords, verdictOf, verdictOfExit, verdictOfMail } from "../../../src/core/notify/verdict.ts";

const pure = { permissions: "none" } as const;

const now = Date.UTC(2027, 0, 15, 12);

Deno.test("verdictOf() tells sent, again and refused by the status", pure, () => {
  const is = (status: number): string => verdictOf({ status, body: "" }, now).is;
  for (const status of [200, 201, 202, 204, 299]) assert.equal(is(status), "sent", String(status));
  for (const status of [408, 425, 429, 500, 502, 503, 504, 529]) {
    assert.equal(is(status), "again", String(status));
  }
  for (const status of [301, 302, 307, 400, 401, 403, 404, 410, 413, 422]) {
    assert.equal(is(status), "refused", String(status));
  }
});

Deno.test("verdictOf() heeds how long to wait: seconds, a date, or what the body says", pure, () => {
  const after = (retryAfter: string, body = ""): number | undefined => {
    const verdict = verdictOf({ status: 429, retryAfter, body }, now);
    return verdict.is === "again" ? verdict.after : undefined;
  };
  assert.equal(after("120"), 120_000);
  assert.equal(after("0.65"), 650);
  assert.equal(after("Fri, 15 Jan 2027 12:00:30 GMT"), 30_000);
  assert.equal(after("Fri, 15 Jan 2027 11:00:00 GMT"), 0);
  assert.equal(after("soon"), undefined);
  assert.equal(after("-5"), undefined);
  assert.equal(after("9".repeat(400)), 86_400_000);
  const telegram = '{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 35",' +
    '"parameters":{"retry_after":35}}';
  assert.deepEqual(verdictOf({ status: 429, body: telegram }, now), {
    is: "again",
    why: "status 429: Too Many Requests: retry after 35",
    after: 35_000,
  });
  const discord = '{"message": "You are being rate limited.", "retry_after": 0.3, "global": false}';
  assert.deepEqual(verdictOf({ status: 429, body: discord }, now), {
    is: "again",
    why: "status 429: You are being rate limited.",
    after: 300,
  });
});

Deno.test("verdictOf() says in the receiver's words why it refused", pure, () => {
  const why = (status: number, body: string): string => {
    const verdict = verdictOf({ status, body }, now);
    return "why" in verdict ? verdict.why : "";
  };
  assert.equal(why(403, "invalid_token"), "status 403: invalid_token");
  assert.equal(
    why(400, '{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}'),
    "status 400: Bad Request: chat not found",
  );
  assert.equal(
    why(401, '{"code":40101,"http":401,"error":"unauthorized","link":"https://ntfy.sh/docs"}'),
    "status 401: unauthorized",
  );
  assert.equal(
    why(
      401,
      '{"error":"Unauthorized","errorCode":401,"errorDescription":"you need to provide a valid token"}',
    ),
    "status 401: you need to provide a valid token",
  );
  assert.equal(
    why(400, '{"token":"invalid","errors":["application token is invalid"],"status":0,"request":"5042853c"}'),
    "status 400: application token is invalid",
  );
  assert.equal(why(404, "<!doctype html><h1>Not found</h1>"), "status 404");
  assert.equal(why(400, '{"a":'), 'status 400: {"a":');
  assert.equal(why(400, "null"), "status 400: null");
  assert.equal(why(500, "\x1b[31mno\x1b[0m\nway"), "status 500: no way");
  assert.ok(why(500, "x".repeat(60_000)).length < 400);
});

Deno.test("verdictOf() names of a redirect's target only whose it is", pure, () => {
  const location = "https://user:pw@inner.example:8443/services/T0/SECRET?token=SECRET";
  const verdict = verdictOf({ status: 308, location, body: "" }, now);
  assert.deepEqual(verdict, {
    is: "refused",
    why: "status 308: redirected to https://inner.example:8443, which is not followed; " +
      "give the address that it leads to",
  });
  assert.match(JSON.stringify(verdictOf({ status: 302, location: "?", body: "" }, now)), /redirected, which/);
});

Deno.test("verdictOfMail() goes by the server's code, and tries again where there is none", pure, () => {
  assert.equal(verdictOfMail({ code: 451, said: "try later" }).is, "again");
  assert.equal(verdictOfMail({ code: 535, said: "wrong" }).is, "refused");
  assert.deepEqual(verdictOfMail({ code: 0, said: "connect ECONNREFUSED 127.0.0.1:1" }), {
    is: "again",
    why: "the connection was refused",
  });
});

Deno.test("verdictOfExit() knows the codes of mail programs", pure, () => {
  assert.deepEqual(verdictOfExit({ code: 0, said: "noise" }), { is: "sent" });
  assert.deepEqual(verdictOfExit({ code: 75, said: "queue is full\n" }), {
    is: "again",
    why: "exit code 75: queue is full",
  });
  assert.deepEqual(verdictOfExit({ code: 67, said: "" }), { is: "refused", why: "exit code 67" });
  assert.equal(verdictOfExit({ code: 1, said: "" }).is, "again");
});

Deno.test("reasonWords() says in plain words why nothing was reached", pure, () => {
  for (
    const [raw, plain] of [
      [
        "invalid peer certificate: UnknownIssuer",
        "its certificate is of no authority that this machine trusts",
      ],
      ["self-signed certificate", "its certificate is of no authority that this machine trusts"],
      ["invalid peer certificate: NotValidForName", "its certificate is for another name"],
      [
        'invalid peer certificate: certificate not valid for name "a"; NotValidForNameContext',
        "its certificate is for another name",
      ],
      ["invalid peer certificate: Expired", "its certificate has expired"],
      [
        "invalid peer certificate: certificate expired: verification time 1 (UNIX)",
        "its certificate has expired",
      ],
      ["getaddrinfo ENOTFOUND nowhere.invalid", "its name can't be resolved"],
      ["dns error: failed to lookup address information", "its name can't be resolved"],
      ["tcp connect error: Connection refused (os error 111)", "the connection was refused"],
      ["connection closed before message completed", "the connection was cut"],
      ["Connection closed unexpectedly", "the connection was cut"],
      ["received corrupt message of type InvalidContentType", "it does not speak TLS there"],
      ["something\nelse", "something else"],
    ] as const
  ) assert.equal(reasonWords(raw), plain);
});
