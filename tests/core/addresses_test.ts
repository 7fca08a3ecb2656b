import assert from "node:assert/strict";
import fc from "fast-check";
import {
  addressText,
  clientAddress,
  isForwardedHttps,
  isLoopback,
  isWithin,
  localKey,
  type Network,
  parseAddress,
  parseNetwork,
  rateLimitKey,
} from "../../src/core/addresses.ts";

const pure = { permissions: "none" } as const;
const runs = { seed: 20270115, numRuns: 300 };

function networks(...texts: string[]): Network[] {
  return texts.map((text) => parseNetwork(text)!);
}

function canonical(text: string): string | undefined {
  const address = parseAddress(text);
  return address === undefined ? undefined : addressText(address);
}

Deno.test("parseAddress() reads every spelling as one address", pure, () => {
  const same: [string, ...string[]][] = [
    ["192.0.2.1", "::ffff:192.0.2.1", "::FFFF:c000:0201", "0:0:0:0:0:ffff:c000:201", "::ffff:192.0.2.1%eth0"],
    ["::", "0:0:0:0:0:0:0:0", "0::0", "::0.0.0.0"],
    ["::1", "0:0:0:0:0:0:0:1", "::0001", "0::1", "::0.0.0.1"],
    ["2001:db8::1", "2001:0DB8:0000:0000:0000:0000:0000:0001", "2001:db8:0:0::1"],
    ["2001:db8:0:1:1:1:1:1", "2001:db8::1:1:1:1:1"],
    ["2001:0:0:1::1", "2001:0:0:1:0:0:0:1"],
    ["fe80::1", "fe80::1%eth0", "FE80::1%25"],
    ["64:ff9b::102:304", "64:ff9b::1.2.3.4"],
    ["1::", "1:0:0:0:0:0:0:0"],
  ];
  for (const [text, ...others] of same) {
    for (const other of [text, ...others]) assert.equal(canonical(other), text, other);
  }
});

Deno.test("parseAddress() refuses what is no address", pure, () => {
  const bad = [
    "",
    " ",
    "1",
    "1.2.3",
    "1.2.3.4.5",
    "256.1.1.1",
    "01.2.3.4",
    "1.2.3.04",
    "0x7f.0.0.1",
    "1.2.3.4 ",
    "1.2.3.-4",
    ":",
    ":::",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7:8::",
    "::1:2:3:4:5:6:7:8",
    "12345::",
    "g::",
    "1:2:3:4:5:6:7:1.2.3.4",
    "1.2.3.4::",
    "::1.2.3",
    "::1.2.3.4.5",
    "[::1]",
    "::1/64",
    "localhost",
    "1.2.3.4%x",
    "::%",
    "fe80::1%a b",
    ":1:2:3:4:5:6:7:8",
  ];
  for (const text of bad) assert.equal(parseAddress(text), undefined, text);
});

Deno.test(
  "addressText() and parseAddress() are each other's inverse, and agree with the platform's URL",
  pure,
  () => {
    const groups = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff })), {
      minLength: 8,
      maxLength: 8,
    });
    fc.assert(
      fc.property(groups, (groups) => {
        const full = groups.map((group) => group.toString(16).padStart(4, "0").toUpperCase()).join(":");
        const text = canonical(full)!;
        assert.equal(canonical(text), text);
        if (text.includes(":")) assert.equal(`[${text}]`, new URL(`http://[${full}]`).hostname);
      }),
      runs,
    );
    fc.assert(fc.property(fc.ipV4(), (text) => assert.equal(canonical(text), text)), runs);
  },
);

Deno.test("parseAddress() never throws", pure, () => {
  const hostile = fc.string({ unit: fc.constantFrom(..."0123456789abcdefF:.%/[] x"), maxLength: 45 });
  fc.assert(fc.property(hostile, (text) => void parseAddress(text)), { ...runs, numRuns: 2000 });
});

Deno.test("isWithin() follows the prefix to the bit, and keeps families apart", pure, () => {
  const inside = (address: string, network: string): boolean =>
    isWithin(parseAddress(address)!, networks(network));
  assert.ok(inside("10.255.255.255", "10.0.0.0/8"));
  assert.ok(!inside("11.0.0.0", "10.0.0.0/8"));
  assert.ok(inside("192.0.2.127", "192.0.2.0/25") && !inside("192.0.2.128", "192.0.2.0/25"));
  assert.ok(inside("192.0.2.9", "192.0.2.9") && !inside("192.0.2.8", "192.0.2.9"));
  assert.ok(inside("10.1.2.3", "10.9.9.9/8"), "bits behind the prefix don't count");
  assert.ok(inside("::ffff:10.1.2.3", "10.0.0.0/8"));
  assert.ok(inside("10.1.2.3", "::ffff:10.0.0.0/104") && inside("9.9.9.9", "::ffff:0:0/96"));
  assert.ok(inside("2001:db8:1::1", "2001:db8::/32") && !inside("2001:db9::", "2001:db8::/32"));
  assert.ok(inside("1.2.3.4", "0.0.0.0/0") && !inside("::1", "0.0.0.0/0") && !inside("1.2.3.4", "::/0"));
  assert.ok(!isWithin(parseAddress("1.2.3.4")!, []));
});

Deno.test("isWithin() holds an address iff its first bits are the network's", pure, () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.ipV4(), fc.integer({ min: 0, max: 32 }), (a, b, prefix) => {
      const bits = (text: string): string =>
        text.split(".").map((part) => Number(part).toString(2).padStart(8, "0")).join("");
      const expected = bits(a).slice(0, prefix) === bits(b).slice(0, prefix);
      assert.equal(isWithin(parseAddress(a)!, networks(`${b}/${prefix}`)), expected);
    }),
    runs,
  );
});

Deno.test("parseNetwork() refuses prefixes that are none", pure, () => {
  for (
    const text of [
      "10.0.0.0/33",
      "::/129",
      "10.0.0.0/",
      "10.0.0.0/8/8",
      "10.0.0.0/-1",
      "10.0.0.0/a",
      "/8",
      "",
      "x/8",
      "::ffff:10.0.0.0/95",
    ]
  ) {
    assert.equal(parseNetwork(text), undefined, text);
  }
});

const trusted = networks("10.0.0.0/8", "127.0.0.1", "2001:db8:ffff::/48");

Deno.test(
  "clientAddress() is the right-most entry that is no trusted proxy, if the peer is one",
  pure,
  () => {
    const cases: [peer: string, forwardedFor: string | undefined, client: string][] = [
      ["192.0.2.1", undefined, "192.0.2.1"],
      ["192.0.2.1", "198.51.100.7", "192.0.2.1"],
      ["10.0.0.1", undefined, "10.0.0.1"],
      ["10.0.0.1", "198.51.100.7", "198.51.100.7"],
      ["10.0.0.1", "1.1.1.1, 198.51.100.7", "198.51.100.7"],
      ["10.0.0.1", "1.1.1.1, 198.51.100.7, 10.0.0.9", "198.51.100.7"],
      ["10.0.0.1", "1.1.1.1,10.0.0.7, 198.51.100.7 ,10.0.0.8,10.0.0.9", "198.51.100.7"],
      ["::ffff:10.0.0.1", "::ffff:198.51.100.7", "198.51.100.7"],
      ["10.0.0.1", "2001:DB8:0::7", "2001:db8::7"],
      ["2001:db8:ffff::1", "198.51.100.7", "198.51.100.7"],
      ["10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
      ["10.0.0.1", "198.51.100.7:5678", "198.51.100.7"],
      ["10.0.0.1", "[2001:db8::7]:443", "2001:db8::7"],
      ["10.0.0.1", "[2001:db8::7]", "2001:db8::7"],
      ["10.0.0.1", "198.51.100.7, unknown", "10.0.0.1"],
      ["10.0.0.1", "198.51.100.7, unknown, 10.0.0.9", "10.0.0.9"],
      ["10.0.0.1", "198.51.100.7,", "10.0.0.1"],
      ["10.0.0.1", "", "10.0.0.1"],
      ["10.0.0.1", ", , ,", "10.0.0.1"],
      ["10.0.0.1", "_hidden", "10.0.0.1"],
      ["fe80::1%eth0", "198.51.100.7", "fe80::1"],
      ["nonsense", "198.51.100.7", "nonsense"],
    ];
    for (const [peer, forwardedFor, client] of cases) {
      assert.equal(clientAddress({ peer, forwardedFor, trusted }), client, `${peer} ${forwardedFor}`);
    }
  },
);

Deno.test(
  "clientAddress() can't be chosen by what a client writes to the left of its own address",
  pure,
  () => {
    const written = fc.string({ unit: fc.constantFrom(..."0123456789.:, abcdef[]x"), maxLength: 60 });
    fc.assert(
      fc.property(written, fc.subarray(["10.0.0.2", "10.3.3.3", "127.0.0.1"]), (text, proxies) => {
        const forwardedFor = [text, "198.51.100.7", ...proxies].join(", ");
        assert.equal(clientAddress({ peer: "10.0.0.1", forwardedFor, trusted }), "198.51.100.7");
        assert.equal(clientAddress({ peer: "198.51.100.7", forwardedFor: text, trusted }), "198.51.100.7");
      }),
      runs,
    );
  },
);

Deno.test("isForwardedHttps() believes trusted peers alone, and the nearest of several", pure, () => {
  const https = (peer: string, forwardedProto?: string): boolean =>
    isForwardedHttps({ peer, forwardedProto, trusted });
  assert.ok(https("10.0.0.1", "https") && https("10.0.0.1", "HTTPS") && https("10.0.0.1", "http, https"));
  assert.ok(!https("10.0.0.1", "https, http") && !https("10.0.0.1") && !https("10.0.0.1", "httpsx"));
  assert.ok(!https("192.0.2.1", "https") && !https("nonsense", "https"));
});

Deno.test("rateLimitKey() is one for all of an IPv6 /64, and one for each IPv4 address", pure, () => {
  assert.equal(rateLimitKey("2001:db8::1"), rateLimitKey("2001:db8::ffff:ffff:ffff:ffff"));
  assert.equal(rateLimitKey("2001:db8::1"), "2001:db8::/64");
  assert.notEqual(rateLimitKey("2001:db8::1"), rateLimitKey("2001:db8:0:1::1"));
  assert.equal(rateLimitKey("::ffff:192.0.2.1"), "192.0.2.1");
  assert.notEqual(rateLimitKey("192.0.2.1"), rateLimitKey("192.0.2.2"));
});

Deno.test(
  "localKey() is one for each user of this machine, or one for all addresses of loopback",
  pure,
  () => {
    const all = ["127.0.0.1", "127.200.3.4", "::1", "::ffff:127.0.0.9"];
    assert.equal(new Set(all.map((text) => rateLimitKey(text))).size, 1);
    assert.equal(rateLimitKey("127.0.0.1"), localKey(undefined));
    assert.equal(new Set([localKey(1000), localKey(0), localKey(undefined)]).size, 3);
  },
);

Deno.test("isLoopback() knows all of 127.0.0.0/8 and ::1", pure, () => {
  for (const text of ["127.0.0.1", "127.255.0.9", "::1", "::ffff:127.0.0.1"]) {
    assert.ok(isLoopback(text), text);
  }
  for (const text of ["128.0.0.1", "0.0.0.0", "::", "::2", "localhost"]) assert.ok(!isLoopback(text), text);
});
