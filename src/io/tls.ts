import { Fault, messageOf } from "../fault.ts";
import { claimPrivateFolder, distrusted, isReadByAll, ownUid, preparePrivateFile, wordsOf } from "./trust.ts";

/** A certificate chain and its private key, in PEM form. */
export interface CertificateFiles {
  cert: string;
  key: string;
}

/** How long a certificate of our own is valid: the longest that all browsers accept is 825 days. */
const validity = 800 * 24 * 60 * 60_000;
/** A daemon takes its certificate at start: with less than this left, ms, a new one is made then. */
const renewBefore = validity / 2;

/**
 * Reads a certificate and key that the operator made. Throws `Fault` for files that can't be read or used, and as root
 * for those that somebody else could change, and a key that everybody may read; others are told by `warn`.
 */
export async function readCertificate(
  paths: { cert: string; key: string },
  { warn, uid = ownUid() }: { warn: (sentence: string) => void; uid?: number },
): Promise<CertificateFiles> {
  for (const doubt of doubtsOf(paths, uid)) {
    if (uid === 0) throw new Fault("forbidden", `cannot use ${doubt}`);
    warn(`the daemon uses ${doubt}`);
  }
  const cert = readPem(paths.cert, { what: "tls_cert", label: /-----BEGIN (?:TRUSTED )?CERTIFICATE-----/ });
  const key = readPem(paths.key, { what: "tls_key", label: /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/ });
  const attempt = `cannot use tls_cert "${paths.cert}" with tls_key "${paths.key}"`;
  try {
    if (await belongTogether({ cert, key })) return { cert, key };
  } catch (error) {
    throw new Fault("invalid", `${attempt}: ${messageOf(error)}; give both in PEM form`);
  }
  throw new Fault(
    "invalid",
    `${attempt}: the key is of another certificate; give the one that belongs to it`,
  );
}

/** Why files are not the operator's alone, and what to do, as the ends of sentences. */
function doubtsOf(paths: { cert: string; key: string }, uid: number): string[] {
  const doubts = Object.entries(paths).flatMap(([name, path]) => {
    const distrust = distrusted(path, uid);
    if (distrust === undefined) return [];
    const mend = `make it ${uid === 0 ? "root's" : "yours or root's"}, and let nobody else write there`;
    return [`tls_${name} "${path}": ${wordsOf(distrust, path)}; ${mend}`];
  });
  const { key } = paths;
  return isReadByAll(key)
    ? [
      ...doubts,
      `tls_key "${key}": everybody on this machine may read it; take that right away (chmod o= "${key}")`,
    ]
    : doubts;
}

/**
 * The certificate that this installation makes for itself, for the given names and addresses. It is kept in
 * `folder` (key 0600) and made anew when they change, when it is near its end and when it can't be used. Throws
 * `Fault` when it can't be stored.
 */
export async function ownCertificate(
  folder: string,
  { names, now }: { names: readonly string[]; now: number },
): Promise<CertificateFiles> {
  const paths = { cert: `${folder}/cert.pem`, key: `${folder}/key.pem` };
  const known = await usable(paths, { names, now });
  if (known !== undefined) return known;
  const fresh = await makeCertificate({ names, now });
  try {
    claimPrivateFolder(folder, {
      attempt: `cannot keep a certificate in "${folder}"`,
      mend: "remove that folder",
    });
    preparePrivateFile(paths.key, fresh.key)();
    preparePrivateFile(paths.cert, fresh.cert)();
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault("internal", `cannot store a certificate in "${folder}": ${messageOf(error)}`);
  }
  return fresh;
}

/** What is stored, if it belongs together, is good for these names, and will be for long enough. */
async function usable(
  paths: { cert: string; key: string },
  { names, now }: { names: readonly string[]; now: number },
): Promise<CertificateFiles | undefined> {
  try {
    const cert = Deno.readTextFileSync(paths.cert);
    const key = Deno.readTextFileSync(paths.key);
    const library = await x509();
    const certificate = new library.X509Certificate(cert);
    const has = certificate.getExtension(library.SubjectAlternativeNameExtension)?.names.items.map((
      { value },
    ) => value);
    const isFor = has !== undefined && has.length === names.length &&
      names.every((name) => has.includes(name));
    const isInTime = certificate.notBefore.getTime() <= now &&
      certificate.notAfter.getTime() - now >= renewBefore;
    return isFor && isInTime && await belongTogether({ cert, key }) ? { cert, key } : undefined;
  } catch {
    // Missing or damaged: either way a new one is made.
    return undefined;
  }
}

/** Whether the certificate is for this key. Throws for texts that are neither. */
async function belongTogether({ cert, key }: CertificateFiles): Promise<boolean> {
  const { createPrivateKey, X509Certificate } = await import("node:crypto");
  return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
}

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

async function makeCertificate(
  { names, now }: { names: readonly string[]; now: number },
): Promise<CertificateFiles> {
  const library = await x509();
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await library.X509CertificateGenerator.createSelfSigned({
    // Positive, so that no parser takes it for another number.
    serialNumber: `01${crypto.getRandomValues(new Uint8Array(15)).toHex()}`,
    name: [{ CN: [`svc on ${names[0] ?? "this machine"}`] }],
    // Clocks of clients may be a little late.
    notBefore: new Date(now - 60 * 60_000),
    notAfter: new Date(now + validity),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new library.BasicConstraintsExtension(false, undefined, true),
      new library.KeyUsagesExtension(library.KeyUsageFlags.digitalSignature, true),
      new library.ExtendedKeyUsageExtension([library.ExtendedKeyUsage.serverAuth]),
      new library.SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isAddress(value) ? "ip" as const : "dns" as const, value })),
      ),
    ],
  }, crypto);
  const pkcs8 = new Uint8Array(await crypto.subtle.exportKey("pkcs8", keys.privateKey));
  const lines = pkcs8.toBase64().match(/.{1,64}/g)!.join("\n");
  return {
    cert: `${certificate.toString("pem")}\n`,
    key: `-----BEGIN PRIVATE KEY-----\n${lines}\n-----END PRIVATE KEY-----\n`,
  };
}

/** Loaded only where a certificate is asked for; it needs the metadata library to be there first. */
async function x509() {
  await import("reflect-metadata");
  return await import("@peculiar/x509");
}

function isAddress(name: string): boolean {
  return name.includes(":") || /^[\d.]+$/.test(name);
}

function readPem(path: string, { what, label }: { what: string; label: RegExp }): string {
  let text: string;
  try {
    text = Deno.readTextFileSync(path);
  } catch (error) {
    throw new Fault("invalid", `cannot read ${what} "${path}": ${messageOf(error)}`);
  }
  if (label.test(text)) return text;
  throw new Fault("invalid", `cannot use ${what} "${path}": there is none in PEM form in it`);
}
