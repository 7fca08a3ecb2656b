/** Asks the network for what its arguments say, and prints what came of it; see proxy_test.ts. */
import { workerNet } from "../../../src/io/net/net.ts";

const [addresses = "", ...jobs] = Deno.args;
const entry = new URL("../../../main.ts", import.meta.url).href;
const net = workerNet({ entry, addresses: addresses.split(","), broke: () => {} });
const timeout = 5000;
const said: unknown[] = [];
for (const job of jobs) {
  const [what, url = ""] = job.split(" ");
  said.push(
    what === "GET"
      ? await net.http(url, { timeout })
      : await net.deliver({ do: "post", headers: {}, body: "told", url }, { timeout }),
  );
}
net.close();
Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(said)));
