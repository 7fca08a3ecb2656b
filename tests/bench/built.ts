let building: Promise<string> | undefined;

/** The path of `dist/svc`, which is built first where it is missing, and unpacked. */
export function builtBinary(): Promise<string> {
  return building ??= build();
}

/** Does the work with daemons of the built file where otherwise they would be of the source. */
export async function withBuilt<T>(work: () => Promise<T>): Promise<T> {
  const before = Deno.env.get("SVC_BINARY");
  Deno.env.set("SVC_BINARY", before ?? await builtBinary());
  try {
    return await work();
  } finally {
    if (before === undefined) Deno.env.delete("SVC_BINARY");
  }
}

async function build(): Promise<string> {
  const root = new URL("../../", import.meta.url).pathname;
  const path = `${root}dist/svc`;
  const isThere = await Deno.stat(path).then(() => true, () => false);
  if (!isThere) await must(`${root}compile.sh`, []);
  await must(path, ["--version"]);
  return path;
}

async function must(program: string, args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args, stdin: "null" }).output();
  if (!success) throw new Error(`${program} went wrong: ${new TextDecoder().decode(stderr)}`);
}
