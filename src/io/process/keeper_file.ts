import { type KeeperRecord, parseRecord, recordBytes } from "../../core/keeper.ts";

/** Writes a keeper's file, of this user's alone. Throws where that is refused; then nothing is left of it. */
export function writeKeeperFile(path: string, text: string): void {
  // Not by another name first: nobody looks for it before its keeper is there.
  try {
    Deno.writeTextFileSync(path, text, { createNew: true, mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) removeKeeperFile(path);
    throw error;
  }
}

/** What a keeper has written down so far; undefined where its file can't be read. */
export function readRecord(path: string): KeeperRecord | undefined {
  const bytes = new Uint8Array(recordBytes);
  try {
    using file = Deno.openSync(path);
    const length = file.readSync(bytes) ?? 0;
    return parseRecord(new TextDecoder("latin1").decode(bytes.subarray(0, length)));
  } catch {
    return undefined;
  }
}

export function removeKeeperFile(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // It is gone, or the next daemon finds it without a keeper.
  }
}

/** The path of a folder without links; as it is where that can't be told. */
export function realFolder(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return path;
  }
}
