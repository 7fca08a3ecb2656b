/** Processors by their numbers in the head of an ELF file, as this runtime and people name them. */
const processors: Readonly<Record<number, string>> = {
  3: "x86 (32 bits)",
  8: "mips",
  21: "powerpc64",
  22: "s390x",
  40: "arm (32 bits)",
  62: "x86_64",
  183: "aarch64",
  243: "riscv64",
};

/** The machine that a program is to run on, as the runtime names it, e.g. "linux", "x86_64". */
export interface MachineKind {
  os: string;
  arch: string;
}

/**
 * What is wrong with a program by how it begins (64 bytes are enough), as a sentence's end; undefined where it may run
 * on this machine.
 */
export function unfitBecause(head: Uint8Array, { os, arch }: MachineKind): string | undefined {
  if (head.length === 0) return "it is empty";
  const here = `this machine is ${arch} with ${os}`;
  if (begins(head, 0x7f, 0x45, 0x4c, 0x46)) {
    if (os !== "linux") return `it is a program for Linux, and ${here}`;
    const machine = head[5] === 2 ? (head[18]! << 8) | head[19]! : head[18]! | (head[19]! << 8);
    const name = processors[machine] ?? `another processor (ELF machine ${machine})`;
    return name === arch ? undefined : `it is a program for ${name}, and ${here}`;
  }
  if (begins(head, 0xcf, 0xfa, 0xed, 0xfe) || begins(head, 0xca, 0xfe, 0xba, 0xbe)) {
    return os === "darwin" ? undefined : `it is a program for macOS, and ${here}`;
  }
  if (begins(head, 0x4d, 0x5a)) return `it is a program for Windows, and ${here}`;
  if (begins(head, 0x1f, 0x8b) || begins(head, 0x50, 0x4b, 3, 4) || begins(head, 0x28, 0xb5, 0x2f, 0xfd)) {
    return "it is an archive: unpack it, and give the program that is in it";
  }
  return begins(head, 0x23, 0x21) ? undefined : "it is no program";
}

function begins(head: Uint8Array, ...bytes: number[]): boolean {
  return bytes.every((byte, i) => head[i] === byte);
}
