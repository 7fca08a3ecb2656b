/** How many processes a bare loop runs at once. */
export const concurrency = 8;

/** Starts `true` and waits for its end, as little as it can be done with. */
export async function spawnBare(): Promise<void> {
  const child = new Deno.Command("/bin/sh", {
    args: ["-c", "true"],
    detached: true,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  await Promise.all([child.status, drain(child.stdout), drain(child.stderr)]);
}

async function drain(stream: ReadableStream<Uint8Array>): Promise<void> {
  for await (const _ of stream);
}

/** How often a second `one` can be done, `concurrency` at a time. */
export async function rate(count: number, one: () => Promise<void>): Promise<number> {
  let left = count;
  const started = performance.now();
  await Promise.all(Array.from({ length: concurrency }, async () => {
    while (left-- > 0) await one();
  }));
  return count / ((performance.now() - started) / 1000);
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
