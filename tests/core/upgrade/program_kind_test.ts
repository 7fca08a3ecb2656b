import assert from "node:assert/strict";
import { unfitBecause } from "../../../src/core/upgrade/program_kind.ts";

const linux = { os: "linux", arch: "x86_64" };

/** The head of an ELF file for a machine. */
function elf(machine: number, { big = false } = {}): Uint8Array {
  const head = new Uint8Array(64);
  head.set([0x7f, 0x45, 0x4c, 0x46, 2, big ? 2 : 1]);
  head.set(big ? [machine >> 8, machine & 255] : [machine & 255, machine >> 8], 18);
  return head;
}

function text(words: string): Uint8Array {
  return new TextEncoder().encode(words);
}

Deno.test("unfitBecause() says for which machine a program is, and lets those for this one pass", () => {
  assert.equal(unfitBecause(elf(62), linux), undefined);
  assert.equal(unfitBecause(elf(183), { os: "linux", arch: "aarch64" }), undefined);
  assert.equal(
    unfitBecause(elf(183), linux),
    "it is a program for aarch64, and this machine is x86_64 with linux",
  );
  assert.match(unfitBecause(elf(22, { big: true }), linux)!, /^it is a program for s390x, /);
  assert.match(unfitBecause(elf(9999), linux)!, /another processor \(ELF machine 9999\)/);
  assert.match(unfitBecause(elf(62), { os: "darwin", arch: "x86_64" })!, /^it is a program for Linux, /);
});

Deno.test("unfitBecause() knows what is no program at all", () => {
  assert.equal(unfitBecause(text("#!/bin/sh\n"), linux), undefined);
  assert.equal(unfitBecause(text("Release notes"), linux), "it is no program");
  assert.equal(unfitBecause(new Uint8Array(), linux), "it is empty");
  assert.match(unfitBecause(new Uint8Array([0x1f, 0x8b, 8]), linux)!, /an archive: unpack it/);
  assert.match(unfitBecause(text("MZ......"), linux)!, /for Windows/);
  assert.match(unfitBecause(new Uint8Array([0xcf, 0xfa, 0xed, 0xfe]), linux)!, /for macOS/);
  assert.equal(
    unfitBecause(new Uint8Array([0xcf, 0xfa, 0xed, 0xfe]), { os: "darwin", arch: "aarch64" }),
    undefined,
  );
});
