/** A portable file whose runtime is a shell script: the start script as it is, without 100 MB behind it. */

const tools = new URL("../../tools/", import.meta.url).pathname;

/**
 * Writes it; `runtime` is the script that stands for Deno, and gets its arguments, `version` what it does when asked for
 * its version. Answers the file's path.
 */
export async function portableFile(
  folder: string,
  runtime: string,
  { version = "exit" }: { version?: string } = {},
): Promise<string> {
  const work = await Deno.makeTempDir({ dir: folder, prefix: "work-" });
  await Deno.mkdir(`${work}/program`);
  await Deno.writeTextFile(
    `${work}/svc`,
    `#!/bin/sh\ncase $1 in --version) ${version};; esac\n${runtime}\n`,
    {
      mode: 0o755,
    },
  );
  await Deno.writeTextFile(`${work}/program/main.js`, "// the program\n");
  await Deno.writeTextFile(`${work}/program/late.js`, "// loaded when it is wanted\n");
  await Deno.writeTextFile(`${work}/flags`, "--flag");
  await Deno.writeTextFile(`${work}/deny`, "--deny-write=/etc");
  const { success, stderr } = await new Deno.Command("/bin/sh", {
    args: [`${tools}make_portable.sh`, work, `${folder}/svc`, "test"],
    stdin: "null",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  await Deno.chmod(folder, 0o755);
  return `${folder}/svc`;
}
