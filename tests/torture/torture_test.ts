import assert from "node:assert/strict";
import { play, type Scene } from "./stage.ts";
import { scenes } from "./scenes.ts";

/** What every test run can afford, three scenes at a time. That with a lock of another program takes too long by nature. */
const lanes: readonly (readonly string[])[] = [
  ["kill", "take_over"],
  ["disk", "reload", "signals", "deaf"],
  ["nasty", "read_only", "freeze", "descriptors"],
];

Deno.test("a daemon that is tortured loses nothing, doubles nothing, and leaves nothing behind", async () => {
  // Says also what this machine can't play.
  const print = (line: string): void => void Deno.stderr.writeSync(new TextEncoder().encode(`${line}\n`));
  const seed = Number(Deno.env.get("TORTURE_SEED") ?? 1);
  const complaints: string[] = [];
  await Promise.all(lanes.map(async (lane) => {
    for (const name of lane) {
      const scene: Scene = scenes[name]!;
      const found = await play(name, scene, { seed, short: true, print });
      complaints.push(...found.map((complaint) => `${name}: ${complaint}`));
    }
  }));
  assert.deepEqual(complaints, []);
});
