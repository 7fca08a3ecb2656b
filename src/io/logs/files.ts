/** Creates a folder that only its owner may enter, with its parents; an existing one is left as it is. */
export function makeFolder(path: string): void {
  Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** Writes all of `bytes`: the system may take less at a time, most of all on a disk that is nearly full. */
export function writeAll(file: Deno.FsFile, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) {
    written += file.writeSync(written === 0 ? bytes : bytes.subarray(written));
  }
}

/** Up to `length` bytes from `offset`; fewer where the file ends. */
export function readAt(
  file: Deno.FsFile,
  { offset, length }: { offset: number; length: number },
): Uint8Array {
  const bytes = new Uint8Array(length);
  file.seekSync(offset, Deno.SeekMode.Start);
  let read = 0;
  while (read < length) {
    const count = file.readSync(bytes.subarray(read));
    if (count === null) break;
    read += count;
  }
  return bytes.subarray(0, read);
}

/** The names in a folder; none when there is no such folder. */
export function namesIn(folder: string): string[] {
  try {
    return Array.from(Deno.readDirSync(folder), (entry) => entry.name);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Whether anything is there by this name, or may be. */
export function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    return !isMissing(error);
  }
}

/** The size of a file in bytes, or undefined when there is none of that name. */
export function sizeOf(path: string): number | undefined {
  try {
    const info = Deno.lstatSync(path);
    return info.isFile ? info.size : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Opens a file for reading; undefined when there is none of that name. */
export function openToRead(path: string): Deno.FsFile | undefined {
  try {
    return Deno.openSync(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Removes a file, if it is there. */
export function removeFile(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** True for what a name that isn't there (or whose folder is no folder) throws. */
export function isMissing(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory;
}
