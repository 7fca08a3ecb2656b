/** Bytes of one index record, and of the header before the first. */
export const RECORD_SIZE = 16;
export const HEADER_SIZE = 16;

/** What a record's flags may say. The bits not named here are 0. */
export const STDERR = 1;
/** The first line of the chunk goes on from the piece before it in the same stream. */
export const CONTINUED = 2;
/** The newline at the chunk's end was added by the daemon, not written by the process. */
export const JOINED = 4;
const KNOWN_FLAGS = STDERR | CONTINUED | JOINED;

/** A run of whole lines of one stream and one time, as it was appended to the segment. */
export interface IndexRecord {
  /** Number of the chunk's first line over the whole run. */
  line: number;
  /** Offset in the segment's log file where the chunk ends; it begins where the one before it ends. */
  end: number;
  at: number;
  flags: number;
}

const MAGIC = [0x73, 0x76, 0x63, 0x69, 0x64, 0x78, 0x01, 0x0a]; // "svcidx", version 1, newline

/** The first bytes of the index of the segment that begins with line `base`. */
export function encodeHeader(base: number): Uint8Array {
  const bytes = new Uint8Array(HEADER_SIZE);
  bytes.set(MAGIC);
  writeUint48(bytes, 8, base);
  return bytes;
}

/** True when `bytes` begin with the header of the segment that begins with line `base`. */
export function isHeader(bytes: Uint8Array, base: number): boolean {
  const expected = encodeHeader(base);
  return bytes.length >= HEADER_SIZE && expected.every((byte, i) => byte === bytes[i]);
}

/** The records of the segment that begins with line `base`, in their fixed form. */
export function encodeRecords(records: readonly IndexRecord[], base: number): Uint8Array {
  const bytes = new Uint8Array(records.length * RECORD_SIZE);
  const view = new DataView(bytes.buffer);
  records.forEach((record, i) => {
    const offset = i * RECORD_SIZE;
    view.setUint32(offset, record.line - base);
    view.setUint32(offset + 4, record.end);
    writeUint48(bytes, offset + 8, clampTime(record.at));
    bytes[offset + 14] = record.flags;
    bytes[offset + 15] = checkByte(bytes, offset);
  });
  return bytes;
}

/** The record at `offset`, or undefined when the bytes there can't be one. */
export function decodeRecord(bytes: Uint8Array, offset: number, base: number): IndexRecord | undefined {
  if (offset + RECORD_SIZE > bytes.length) return undefined;
  if (bytes[offset + 15] !== checkByte(bytes, offset)) return undefined;
  const flags = bytes[offset + 14] ?? 0;
  if ((flags & ~KNOWN_FLAGS) !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, RECORD_SIZE);
  const end = view.getUint32(4);
  if (end === 0) return undefined;
  return { line: base + view.getUint32(0), end, at: view.getUint16(8) * 2 ** 32 + view.getUint32(10), flags };
}

function writeUint48(bytes: Uint8Array, offset: number, value: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, 6);
  view.setUint16(0, Math.floor(value / 2 ** 32));
  view.setUint32(2, value % 2 ** 32);
}

function clampTime(at: number): number {
  return Math.min(Math.max(0, Math.floor(at)), 2 ** 48 - 1);
}

/** A checksum that depends on the order of the bytes, and is not 0 for all zeros (a hole in the file). */
function checkByte(bytes: Uint8Array, offset: number): number {
  let sum = 0x5a;
  for (let i = offset; i < offset + RECORD_SIZE - 1; i++) {
    sum = (Math.imul(sum, 31) + (bytes[i] ?? 0)) & 0xffff;
  }
  return (sum ^ (sum >>> 8)) & 0xff;
}
