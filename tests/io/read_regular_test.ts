import assert from "node:assert/strict";
import { readRegular } from "../../src/io/read_regular.ts";
import { inFolder, write } from "../support/folder.ts";

Deno.test("readRegular() reads files of the size that it may, and no larger ones, whatever size they tell", () =>
  inFolder((folder) => {
    write(`${folder}/x`, "a".repeat(100_000));
    assert.deepEqual(readRegular(`${folder}/x`, 100_000), new TextEncoder().encode("a".repeat(100_000)));
    assert.equal(readRegular(`${folder}/x`, 99_999), "too large");
    Deno.truncateSync(`${folder}/x`, 2 ** 34);
    assert.equal(readRegular(`${folder}/x`, 100_000), "too large");
    write(`${folder}/grows`, "abc");
    const grow = () => write(`${folder}/grows`, "a".repeat(100_001));
    assert.equal(readRegular(`${folder}/grows`, 100_000, grow), "too large");
    write(`${folder}/empty`, "");
    assert.deepEqual(readRegular(`${folder}/empty`, 0), new Uint8Array(0));
  }));

Deno.test("readRegular() waits for nobody at a named pipe, and tells folders and what isn't there", () =>
  inFolder(async (folder) => {
    await new Deno.Command("mkfifo", { args: [`${folder}/pipe`] }).output();
    write(`${folder}/file`, "");
    assert.equal(readRegular(`${folder}/pipe`, 10), "irregular");
    assert.equal(readRegular(folder, 10), "folder");
    assert.throws(() => readRegular(`${folder}/none`, 10), Deno.errors.NotFound);
    assert.throws(() => readRegular(`${folder}/file/none`, 10), Deno.errors.NotADirectory);
  }));

Deno.test("readRegular() reads nothing that was refused once it was open", () =>
  inFolder((folder) => {
    write(`${folder}/x`, "abc");
    const { ino, dev, uid } = Deno.statSync(`${folder}/x`);
    const refused = new Error("not this one");
    assert.throws(() =>
      readRegular(`${folder}/x`, 10, (opened) => {
        assert.deepEqual([opened.ino, opened.dev, opened.uid], [ino, dev, uid]);
        throw refused;
      }), refused);
  }));
