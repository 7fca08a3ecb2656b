import { concat } from "../core/bytes.ts";

/** All of standard input, or undefined where it is larger than so many bytes. */
export async function readStandardInput(most: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of Deno.stdin.readable) {
    size += chunk.length;
    if (size > most) return undefined;
    chunks.push(chunk);
  }
  return concat(chunks);
}
