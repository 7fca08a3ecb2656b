/** Delivers mails as a daemon would whose machine trusts the certificate that `DENO_CERT` names. Prints the verdicts. */
import type { Mail } from "../../../src/core/notify/outgoing.ts";
import { workerNet } from "../../../src/io/net/net.ts";

const [entry = "", mails = "[]"] = Deno.args;
const outgoing: Mail[] = JSON.parse(mails);
const addresses = outgoing.map(({ host, port }) => `${host}:${port}`);
const net = workerNet({ entry, addresses, broke: () => {} });
await Deno.permissions.revoke({ name: "net" });
const verdicts = [];
for (const mail of outgoing) verdicts.push(await net.deliver(mail, { timeout: 10_000 }));
net.close();
Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(verdicts)));
