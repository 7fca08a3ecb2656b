import assert from "node:assert/strict";
import { FakeClock, settle } from "./fake_clock.ts";
import { counted, countedSteps } from "./seams.ts";

/** A chain of so many promises, each of which waits for the one before. */
async function chain(length: number): Promise<void> {
  for (let i = 0; i < length; i++) await Promise.resolve();
}

Deno.test("settle() waits for promises that can go on, however long their chain is", async () => {
  let isOver = false;
  void chain(10_000).then(() => isOver = true);
  await settle();
  assert.ok(isOver);
});

Deno.test("settle() leaves alone what only the test can end", async () => {
  const held = Promise.withResolvers<void>();
  let isOver = false;
  void held.promise.then(() => isOver = true);
  await settle();
  assert.ok(!isOver);
  held.resolve();
  await settle();
  assert.ok(isOver);
});

Deno.test("settle() waits for what is counted, and for what follows from that", async () => {
  const seen: string[] = [];
  void (async () => {
    await counted(Deno.stat(new URL(import.meta.url)));
    await chain(100);
    await counted(Deno.stat(new URL(import.meta.url)));
    seen.push("stat");
  })();
  void counted(Deno.stat("/nowhere/at/all")).catch(() => seen.push("failure"));
  await settle();
  assert.deepEqual(seen.sort(), ["failure", "stat"]);
});

Deno.test("countedSteps() counts each step of a walk, and not what is done between two", async () => {
  const clock = new FakeClock(0);
  const names: string[] = [];
  void (async () => {
    for await (const { name } of countedSteps(Deno.readDir(new URL(".", import.meta.url)))) {
      names.push(name);
      if (names.length === 3) break;
      await new Promise<void>((resolve) => void clock.after(1000, resolve));
    }
  })();
  await settle();
  assert.equal(names.length, 1);
  await clock.advance(1000);
  assert.equal(names.length, 2);
  await clock.advance(1000);
  assert.equal(names.length, 3);
});

Deno.test("FakeClock fires a timer only when all that the one before set off has come to rest", async () => {
  const clock = new FakeClock(0);
  const story: string[] = [];
  clock.after(10, () => void chain(1000).then(() => story.push(`first at ${clock.now()}`)));
  clock.after(20, () => void story.push("second"));
  await clock.advance(30);
  assert.deepEqual(story, ["first at 10", "second"]);
});
