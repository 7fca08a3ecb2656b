/** What a daemon does at its start: begins the worker for the network, then gives the permission up. Prints what works. */
import { workerNet } from "../../../src/io/net/net.ts";

const [entry, port] = [Deno.args[0]!, Number(Deno.args[1])];
const address = `127.0.0.1:${port}`;
const net = workerNet({ entry, addresses: [address], broke: () => {} });
await Deno.permissions.revoke({ name: "net" });
const main = await Deno.connect({ hostname: "127.0.0.1", port }).then(() => "reached", (error) => error.name);
const worker = await net.tcp("127.0.0.1", { port, timeout: 5000 });
const http = await net.http(`http://${address}/`, { timeout: 5000 });
net.close();
const closed = await net.tcp("127.0.0.1", { port, timeout: 5000 });
Deno.stdout.writeSync(
  new TextEncoder().encode(JSON.stringify({ main, worker, http, closed: closed.result })),
);
