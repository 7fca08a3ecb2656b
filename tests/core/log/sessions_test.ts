import assert from "node:assert/strict";
import { TestTerminal } from "./terminal_fixture.ts";

/**
 * `sessions/*.raw` are what programs wrote to a terminal of 80 columns (`script -qfc`), those by hand excepted;
 * paths and notes of the machine were taken out. `.txt` is what is committed of each.
 */
const folder = new URL("./sessions/", import.meta.url);
const names = [...Deno.readDirSync(folder)]
  .filter(({ name }) => name.endsWith(".raw"))
  .map(({ name }) => name.slice(0, -4));

Deno.test("Terminal commits what a person would see at the end of real sessions", () => {
  for (const name of names) {
    const bytes = Deno.readFileSync(new URL(`${name}.raw`, folder));
    const golden = Deno.readTextFileSync(new URL(`${name}.txt`, folder));
    for (const size of [1, 17, 4096, bytes.length]) {
      const terminal = new TestTerminal();
      for (let at = 0; at < bytes.length; at += size) terminal.write(bytes.slice(at, at + size));
      assert.equal(terminal.end().text, golden, `${name} in pieces of ${size}`);
    }
  }
});

Deno.test("Terminal keeps frames of each session that takes its time", () => {
  for (const name of names) {
    const bytes = Deno.readFileSync(new URL(`${name}.raw`, folder));
    const terminal = new TestTerminal();
    const size = Math.ceil(bytes.length / 200);
    for (let at = 0; at < bytes.length; at += size) terminal.write(bytes.slice(at, at + size), { wait: 40 });
    const frames = terminal.end().settled.map(({ frames }) => frames.length);
    // Its one bar was drawn at once.
    if (name === "curl_bar") continue;
    assert.ok(Math.max(...frames) > 0 && Math.max(...frames) <= 200, `${name}: ${frames}`);
  }
});
