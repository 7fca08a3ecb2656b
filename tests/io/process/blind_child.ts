import { Warden } from "../../../src/io/process/warden.ts";

/** Sweeps a run where one file of /proc keeps its readers; prints what came of it. */
const said: string[] = [];
const warden = new Warden({}, { patience: 1000, say: (text) => said.push(text) });
const [runId = ""] = Deno.args;
const { killed, left } = await warden.sweep([runId]);
const again = await warden.sweep([runId]);
await warden.close();
Deno.stdout.writeSync(
  new TextEncoder().encode(JSON.stringify({ left, again: again.killed, killed: killed.length > 0, said })),
);
Deno.exit(0);
