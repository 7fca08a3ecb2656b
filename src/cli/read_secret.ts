/** The longest line that is taken for a password, in bytes. */
const longest = 4096;

/**
 * Reads one line from standard input; on a terminal it is asked for, and not shown. Undefined for an input that ends
 * before a line does, and for Ctrl-C or Ctrl-D.
 */
export async function readSecret(question: string): Promise<string | undefined> {
  const { stdin } = Deno;
  if (!stdin.isTerminal()) return await readLine();
  const encoder = new TextEncoder();
  Deno.stderr.writeSync(encoder.encode(question));
  stdin.setRaw(true, { cbreak: false });
  try {
    return await readLine();
  } finally {
    stdin.setRaw(false);
    Deno.stderr.writeSync(encoder.encode("\n"));
  }
}

async function readLine(): Promise<string | undefined> {
  const line: number[] = [];
  const byte = new Uint8Array(1);
  while (line.length < longest) {
    const n = await Deno.stdin.read(byte);
    const key = byte[0]!;
    if (n === null) return line.length === 0 ? undefined : text(line);
    if (key === newline || key === enter) return text(line);
    if (key === interrupt || key === endOfFile) return undefined;
    if (key === eraseLine) line.length = 0;
    else if (key === backspace || key === remove) eraseLast(line);
    else line.push(key);
  }
  return undefined;
}

const interrupt = 0x03;
const endOfFile = 0x04;
const backspace = 0x08;
const newline = 0x0a;
const enter = 0x0d;
const eraseLine = 0x15;
const remove = 0x7f;

function text(bytes: readonly number[]): string {
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** Takes the last character away: its first byte and the ones that continue it. */
function eraseLast(line: number[]): void {
  while (line.length > 0 && (line.pop()! & 0xc0) === 0x80);
}
