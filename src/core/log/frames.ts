/** Bytes before the packed frames of a line. */
export const FRAMES_HEADER = 16;

/** What is known of the frames of a line without unpacking them. */
export interface FramesHeader {
  line: number;
  /** Bytes of the packed frames. */
  length: number;
  /** How many frames there are. */
  count: number;
}

const MARK = 0x6672; // "fr"

/** The header that stands before packed frames. */
export function encodeFramesHeader({ line, length, count }: FramesHeader): Uint8Array {
  const bytes = new Uint8Array(FRAMES_HEADER);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, MARK);
  view.setUint16(2, Math.floor(line / 2 ** 32));
  view.setUint32(4, line % 2 ** 32);
  view.setUint32(8, length);
  view.setUint16(12, count);
  view.setUint16(14, checkOf(view));
  return bytes;
}

/** The headers in the bytes of a frames file, in order, with the places of the packed frames; a torn end is left out. */
export function framesHeaders(bytes: Uint8Array): Array<FramesHeader & { offset: number }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const headers: Array<FramesHeader & { offset: number }> = [];
  for (let at = 0; at + FRAMES_HEADER <= bytes.length;) {
    const header = new DataView(bytes.buffer, bytes.byteOffset + at, FRAMES_HEADER);
    const length = view.getUint32(at + 8);
    const offset = at + FRAMES_HEADER;
    const isWhole = header.getUint16(0) === MARK && header.getUint16(14) === checkOf(header) &&
      offset + length <= bytes.length;
    if (!isWhole) break;
    const line = view.getUint16(at + 2) * 2 ** 32 + view.getUint32(at + 4);
    headers.push({ line, length, count: view.getUint16(at + 12), offset });
    at = offset + length;
  }
  return headers;
}

/** Frames as they were packed; none where that can't be right. */
export function parseFrames(text: string): string[][] {
  try {
    const frames: unknown = JSON.parse(text);
    return isFrames(frames) ? frames : [];
  } catch {
    return [];
  }
}

function isFrames(value: unknown): value is string[][] {
  return Array.isArray(value) &&
    value.every((rows) => Array.isArray(rows) && rows.every((row) => typeof row === "string"));
}

function checkOf(header: DataView): number {
  let sum = 0x5a5a;
  for (let i = 0; i < FRAMES_HEADER - 2; i++) sum = (Math.imul(sum, 31) + header.getUint8(i)) & 0xffff;
  return sum;
}
