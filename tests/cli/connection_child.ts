/** Asks daemons at the addresses of its arguments, and prints their answers; see connection_test.ts. */
import { openConnection } from "../../src/cli/connection.ts";
import type { Locals } from "../../src/cli/locals.ts";

const answers: string[] = [];
for (const url of Deno.args) {
  const connection = await openConnection({ url }, { locals: {} as Locals, env: {}, now: Date.now });
  const response = await connection.fetch(`${connection.base}/x`);
  answers.push(await response.text());
  connection.close();
}
const said = { answers, proxy: Deno.env.get("http_proxy") };
Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(said)));
