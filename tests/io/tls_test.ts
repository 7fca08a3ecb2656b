import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { ownCertificate, readCertificate } from "../../src/io/tls.ts";

const now = Date.UTC(2027, 0, 15);
const day = 24 * 60 * 60_000;
const names = ["localhost", "127.0.0.1", "::1", "box.example", "2001:db8::7"];

/** With nothing to be told. */
function readCertificateQuietly(paths: { cert: string; key: string }): ReturnType<typeof readCertificate> {
  return readCertificate(paths, { warn: (sentence) => assert.fail(sentence) });
}

async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "svc-tls-" });
  try {
    await body(`${folder}/tls`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("ownCertificate() makes a certificate for its names, and keeps the key from others", async () => {
  await inFolder(async (folder) => {
    const { cert, key } = await ownCertificate(folder, { names, now });
    const certificate = new X509Certificate(cert);
    assert.match(certificate.subjectAltName ?? "", /DNS:localhost/);
    for (const name of ["DNS:box.example", "IP Address:127.0.0.1"]) {
      assert.ok(certificate.subjectAltName?.includes(name), certificate.subjectAltName);
    }
    const life = Date.parse(certificate.validTo) - Date.parse(certificate.validFrom);
    assert.ok(life <= 825 * day, "the longest that all browsers accept");
    assert.equal(await Deno.readTextFile(`${folder}/key.pem`), key);
    assert.equal((await Deno.stat(`${folder}/key.pem`)).mode! & 0o777, 0o600);
    assert.equal((await Deno.stat(folder)).mode! & 0o777, 0o700);
  });
});

Deno.test("ownCertificate() keeps what it has until it is half over or the names change", async () => {
  await inFolder(async (folder) => {
    const make = (at: number, own = names) => ownCertificate(folder, { names: own, now: at });
    const first = await make(now);
    assert.deepEqual(await make(now + 399 * day), first);
    assert.deepEqual(await make(now, [...names].reverse()), first, "in any order");
    const renewed = await make(now + 401 * day);
    assert.notEqual(renewed.cert, first.cert);
    assert.notEqual(renewed.key, first.key);
    const renamed = await make(now + 401 * day, [...names, "new.example"]);
    assert.notEqual(renamed.cert, renewed.cert);
    assert.notEqual(
      (await make(now + 401 * day, names)).cert,
      renamed.cert,
      "a name that is gone counts, too",
    );
    assert.notEqual((await make(now - day)).cert, renewed.cert, "one that is not valid yet is of no use");
  });
});

Deno.test("ownCertificate() makes a new one where the old one is damaged, or key and certificate don't belong together", async () => {
  await inFolder(async (folder) => {
    const make = () => ownCertificate(folder, { names, now });
    const first = await make();
    await Deno.writeTextFile(`${folder}/cert.pem`, first.cert.slice(0, 200));
    const second = await make();
    assert.notEqual(second.cert, first.cert);
    await Deno.writeTextFile(`${folder}/key.pem`, first.key);
    const third = await make();
    assert.notEqual(third.cert, second.cert);
    await Deno.remove(`${folder}/key.pem`);
    assert.notEqual((await make()).cert, third.cert);
  });
});

Deno.test("A certificate of ownCertificate() serves TLS to a client that trusts it", async () => {
  await inFolder(async (folder) => {
    const { cert, key } = await ownCertificate(folder, { names, now: Date.now() });
    const server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", cert, key, onListen: () => {} },
      () => new Response("hi"),
    );
    using client = Deno.createHttpClient({ caCerts: [cert] });
    for (const host of ["localhost", "127.0.0.1"]) {
      const response = await fetch(`https://${host}:${server.addr.port}/`, { client });
      assert.equal(await response.text(), "hi");
    }
    await server.shutdown();
  });
});

Deno.test("readCertificate() takes a chain and its key, and says what is wrong with others", async () => {
  await inFolder(async (folder) => {
    const own = await ownCertificate(folder, { names, now });
    const [cert, key] = [`${folder}/cert.pem`, `${folder}/key.pem`];
    assert.deepEqual(await readCertificateQuietly({ cert, key }), own);
    await assert.rejects(
      () => readCertificateQuietly({ cert: `${folder}/none`, key }),
      /cannot read tls_cert ".*none"/,
    );
    await assert.rejects(
      () => readCertificateQuietly({ cert, key: `${folder}/none` }),
      /cannot read tls_key ".*none"/,
    );
    await assert.rejects(
      () => readCertificateQuietly({ cert: key, key }),
      /cannot use tls_cert ".*key.pem": .* PEM/,
    );
    await assert.rejects(
      () => readCertificateQuietly({ cert, key: cert }),
      /cannot use tls_key ".*cert.pem": .* PEM/,
    );
    const other = await ownCertificate(`${folder}/other`, { names, now });
    assert.notEqual(other.key, own.key);
    await assert.rejects(
      () => readCertificateQuietly({ cert, key: `${folder}/other/key.pem` }),
      /cannot use tls_cert .* with tls_key/,
    );
    await Deno.writeTextFile(`${folder}/bad.pem`, own.cert.replace(/[A-Za-z]{40}/, "A".repeat(40)));
    await assert.rejects(
      () => readCertificateQuietly({ cert: `${folder}/bad.pem`, key }),
      /cannot use tls_cert/,
    );
  });
});

Deno.test("readCertificate() as root takes no file that another user could change, nor a key that all may read", async () => {
  await inFolder(async (folder) => {
    const own = await ownCertificate(folder, { names, now });
    const [cert, key] = [`${folder}/cert.pem`, `${folder}/key.pem`];
    const told: string[] = [];
    const options = { warn: (sentence: string) => void told.push(sentence), uid: Deno.uid()! };
    const read = () => readCertificate({ cert, key }, options);
    const refused = async (pattern: RegExp): Promise<void> => {
      told.length = 0;
      if (options.uid === 0) return await assert.rejects(read, { name: "Fault", message: pattern });
      assert.deepEqual(await read(), own);
      assert.match(told.join(), pattern);
    };
    // Folders on the way are closed to others: then it doesn't matter what the file says.
    Deno.chmodSync(key, 0o644);
    assert.deepEqual(await read(), own);
    for (const path of [folder, folder.slice(0, folder.lastIndexOf("/"))]) Deno.chmodSync(path, 0o755);
    await refused(/tls_key ".*key\.pem": everybody on this machine may read it; .*chmod o= /);
    Deno.chmodSync(key, 0o600);
    Deno.chmodSync(cert, 0o666);
    await refused(/tls_cert ".*cert\.pem": others may write it; make it /);
    Deno.chmodSync(cert, 0o644);
    told.length = 0;
    assert.deepEqual([await read(), told], [own, []]);
    if (options.uid !== 0) return;
    Deno.chownSync(key, 12345, 12345);
    await refused(/tls_key ".*key\.pem": user 12345 owns it; make it root's/);
    // The daemon of that user is told nothing: it is his own.
    options.uid = 12345;
    Deno.chownSync(folder, 12345, 12345);
    Deno.chownSync(folder.slice(0, folder.lastIndexOf("/")), 12345, 12345);
    assert.deepEqual([await read(), told], [own, []]);
    // Another one is.
    options.uid = 12346;
    await read();
    assert.match(
      told.join(),
      /the daemon uses tls_cert ".*": user 12345 owns .*tls_key ".*": user 12345 owns /,
    );
  });
});
