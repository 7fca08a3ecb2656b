import { type Imported, takenWith } from "./imported.ts";

/** A file's bytes as text without a byte order mark and with plain line ends, or why they are none. */
export type Decoded = { text: string; foreign: number[] } | { fault: string; line: number };

/**
 * Reads a file to import. `foreign` are the lines (from 1) that are not UTF-8: then the whole is read as Latin-1,
 * as Windows extends it.
 */
export function decodeSource(bytes: Uint8Array): Decoded {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe
    ? "utf-16le"
    : bytes[0] === 0xfe && bytes[1] === 0xff
    ? "utf-16be"
    : undefined;
  if (wide !== undefined) return { text: plain(new TextDecoder(wide).decode(bytes)), foreign: [] };
  const nul = bytes.indexOf(0);
  if (nul >= 0) return { fault: "it is no text: a NUL stands in it", line: lineAt(bytes, nul) };
  try {
    return { text: plain(new TextDecoder("utf-8", { fatal: true }).decode(bytes)), foreign: [] };
  } catch {
    return { text: plain(new TextDecoder("windows-1252").decode(bytes)), foreign: foreignLines(bytes) };
  }
}

/** An import with the notes that its files were read as Latin-1: one for each file, and one for each line that was taken. */
export function noteForeign(imported: Imported, foreign: ReadonlyMap<string, readonly number[]>): Imported {
  if (imported.broken !== undefined || foreign.size === 0) return imported;
  const lines = new Map([...foreign].map(([file, numbers]) => [file, new Set(numbers)]));
  return {
    ...imported,
    entries: [
      ...[...foreign].map(([file, numbers]) => ({
        file,
        line: numbers[0] ?? 0,
        what: numbers.length === 1 ? "1 line is not UTF-8" : `${numbers.length} lines are not UTF-8`,
        fate: takenWith([
          `read as Latin-1 (${numbers.slice(0, 20).join(", ")}${
            numbers.length > 20 ? ", ..." : ""
          }), and written as UTF-8`,
        ]),
      })),
      ...imported.entries.map((entry) => {
        if (entry.fate.is === "refused" || !lines.get(entry.file)?.has(entry.line)) return entry;
        const notes = entry.fate.is === "noted" ? entry.fate.notes : [];
        return { ...entry, fate: takenWith([...notes, foreignNote]) };
      }),
    ],
  };
}

const foreignNote =
  "it was read as Latin-1 and is written as UTF-8: a file whose name holds such letters may not be found";

function plain(text: string): string {
  return text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
}

function foreignLines(bytes: Uint8Array): number[] {
  const lines: number[] = [];
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for (let from = 0, line = 1; from <= bytes.length; line++) {
    const end = bytes.indexOf(0x0a, from);
    const to = end < 0 ? bytes.length : end;
    try {
      decoder.decode(bytes.subarray(from, to));
    } catch {
      lines.push(line);
    }
    from = to + 1;
  }
  return lines;
}

function lineAt(bytes: Uint8Array, at: number): number {
  let line = 1;
  for (let from = bytes.indexOf(0x0a); from >= 0 && from < at; from = bytes.indexOf(0x0a, from + 1)) line++;
  return line;
}
