import assert from "node:assert/strict";
import { BoundedWriter } from "../../src/io/bounded_writer.ts";

/** A reader that takes what it is let take. */
function reader() {
  const taken: string[] = [];
  let gate = Promise.withResolvers<void>();
  let refusal: Error | undefined;
  gate.resolve();
  return {
    taken,
    write: async (bytes: Uint8Array): Promise<number> => {
      await gate.promise;
      if (refusal !== undefined) throw refusal;
      // Never all at once.
      const count = Math.min(bytes.length, 100_000);
      taken.push(new TextDecoder().decode(bytes.subarray(0, count)));
      return count;
    },
    stop: () => void (gate = Promise.withResolvers()),
    goOn: () => gate.resolve(),
    refuse: (error: Error | undefined) => void (refusal = error),
  };
}

Deno.test("BoundedWriter writes all in order, and waits for nobody", async () => {
  const one = reader();
  one.stop();
  const writer = new BoundedWriter(one.write, () => {});
  for (let n = 0; n < 1000; n++) writer.add(`line ${n}\n`);
  assert.deepEqual(one.taken, []);
  one.goOn();
  await writer.flush(10_000);
  assert.equal(one.taken.join(""), Array.from({ length: 1000 }, (_, n) => `line ${n}\n`).join(""));
});

Deno.test("BoundedWriter leaves out what a reader that stands still does not take, and says how much", async () => {
  const one = reader();
  one.stop();
  const writer = new BoundedWriter(one.write, (count) => writer.add(`${count} left out\n`));
  const line = `${"x".repeat(1023)}\n`;
  for (let n = 0; n < 2000; n++) writer.add(line);
  one.goOn();
  await writer.flush(10_000);
  const lines = one.taken.join("").trimEnd().split("\n");
  assert.equal(lines.length, 1025);
  assert.equal(lines.at(-1), "976 left out");
  writer.add("more\n");
  await writer.flush(10_000);
  assert.equal(one.taken.at(-1), "more\n");
});

Deno.test("BoundedWriter goes on when a full disk has room again, and says what was lost", async () => {
  const one = reader();
  const writer = new BoundedWriter(one.write, (count) => writer.add(`${count} left out\n`));
  one.refuse(new Error("No space left on device"));
  writer.add("a\n");
  await writer.flush(10_000);
  writer.add("b\n");
  await writer.flush(10_000);
  one.refuse(undefined);
  writer.add("c\n");
  await writer.flush(10_000);
  // What is lost while it is said that something was lost is said the next time.
  assert.match(one.taken.join(""), /^\d left out\nc\n$/);
});

Deno.test("BoundedWriter.flush() waits no longer than it may", async () => {
  const one = reader();
  one.stop();
  const writer = new BoundedWriter(one.write, () => {});
  writer.add("a\n");
  await writer.flush(1);
  one.goOn();
  await writer.flush(10_000);
  assert.deepEqual(one.taken, ["a\n"]);
});
