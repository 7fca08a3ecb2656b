import assert from "node:assert/strict";

const script = new URL("../../tools/check_deno.sh", import.meta.url).pathname;

async function check(...args: string[]): Promise<{ code: number; said: string }> {
  const { code, stdout, stderr } = await new Deno.Command("/bin/sh", {
    args: [script, ...args],
    stdin: "null",
  })
    .output();
  return { code, said: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
}

Deno.test("check_deno.sh takes the Deno of a kept hash, refuses others, and says where it keeps none", async () => {
  const folder = await Deno.makeTempDir({ prefix: "svc-check-" });
  try {
    const [file, hashes] = [`${folder}/deno`, `${folder}/hashes`];
    await Deno.writeTextFile(file, "abc");
    const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    const { sysname, machine } = await platform();
    await Deno.writeTextFile(hashes, `${abc}  ${sysname}-${machine}\n`);
    assert.deepEqual(await check(file, hashes), { code: 0, said: "" });
    await Deno.writeTextFile(file, "abcd");
    const other = await check(file, hashes);
    assert.equal(other.code, 1);
    assert.match(other.said, new RegExp(`is not the Deno that it should be: .* has ${abc}\n$`));
    await Deno.writeTextFile(hashes, `${abc}  plan9-vax\n`);
    const unknown = await check(file, hashes);
    assert.equal(unknown.code, 0);
    assert.match(unknown.said, /^check_deno: not checked: .* has no hash for /);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** The platform as the kernel names it; the tests run where the C library is glibc, or none that is asked for. */
async function platform(): Promise<{ sysname: string; machine: string }> {
  const { stdout } = await new Deno.Command("uname", { args: ["-sm"] }).output();
  const [sysname = "", machine = ""] = new TextDecoder().decode(stdout).trim().split(" ");
  return { sysname: sysname.toLowerCase(), machine };
}
