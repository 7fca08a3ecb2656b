/** Where a Chromium for the tests of the page is found, and how it is brought where there is none. */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createBrotliDecompress } from "node:zlib";

/** A browser's program, and what it needs in its environment beside what is there. */
export interface Chromium {
  executablePath: string;
  env: Record<string, string>;
}

/** A whole Chromium without a window, for x86-64, with the libraries and letters that a bare machine has none of. */
const source = { name: "@sparticuz/chromium", version: "153.0.0" };

/** Of what is taken of it: sha256. */
const parts = {
  "chromium.br": "38e1e1649db20fa4ea644bf5987688ce81a4c9eb10e7eae8380b74fc0d699fea",
  "al2023.tar.br": "a166168dd3e3e9d8743689fff543c5cadb3025c1816c6a154c90dc68a59edd0a",
  "fonts.tar.br": "c1307fe5cd607092f0426742b4ab93755eec9a9b7752e47c56408c2bcf3e515b",
};

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
const own = `${dist}browser-${source.version}`;

/** Where Debian's package is, or what `bringChromium` has brought; undefined where there is neither. */
export async function findChromium(): Promise<Chromium | undefined> {
  const debian = "/usr/bin/chromium";
  if (await isFile(debian)) return { executablePath: debian, env: {} };
  const executablePath = `${own}/chromium`;
  if (!await isFile(executablePath)) return undefined;
  return { executablePath, env: { LD_LIBRARY_PATH: `${own}/lib`, FONTCONFIG_PATH: `${own}/fonts` } };
}

/**
 * Fetches a Chromium as Deno fetches packages, into dist. Throws where it can't be fetched, is not the one whose hash
 * is kept here, or does not start.
 */
export async function bringChromium(): Promise<void> {
  if (Deno.build.arch !== "x86_64" || Deno.build.os !== "linux") {
    throw new Error("only that for Linux on x86-64 can be fetched");
  }
  await Deno.mkdir(dist, { recursive: true });
  const work = await Deno.makeTempDir({ dir: dist, prefix: "browser-" });
  try {
    const fetched = await fetchPackage(`${work}/packages`);
    const made = `${work}/made`;
    await Deno.mkdir(made);
    for (const [name, hash] of Object.entries(parts)) await unpack(`${fetched}/bin/${name}`, { hash, made });
    await Deno.writeTextFile(`${made}/fonts/fonts.conf`, fontSettings);
    await Deno.chmod(`${made}/chromium`, 0o755);
    await must(`${made}/chromium`, ["--version"], { LD_LIBRARY_PATH: `${made}/lib` });
    await Deno.rename(made, own);
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

const fontSettings = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${own}/fonts</dir><cachedir>${own}/fonts/cache</cachedir></fontconfig>
`;

/** The folder of the package as it was published. */
async function fetchPackage(folder: string): Promise<string> {
  const { name, version } = source;
  await must(Deno.execPath(), ["cache", "-q", "--no-config", "--no-lock", `npm:${name}@${version}`], {
    DENO_DIR: folder,
  });
  for await (const { name: registry } of Deno.readDir(`${folder}/npm`)) {
    const place = `${folder}/npm/${registry}/${name}/${version}`;
    if (await isFile(`${place}/package.json`)) return place;
  }
  throw new Error(`cannot find ${name} ${version} among what was fetched`);
}

async function unpack(file: string, { hash, made }: { hash: string; made: string }): Promise<void> {
  const sum = createHash("sha256");
  await pipeline(createReadStream(file), sum);
  if (sum.digest("hex") !== hash) throw new Error(`will not take "${file}": its sha256 is not ${hash}`);
  const name = file.slice(file.lastIndexOf("/") + 1, -".br".length);
  await pipeline(createReadStream(file), createBrotliDecompress(), createWriteStream(`${made}/${name}`));
  if (name.endsWith(".tar")) await must("tar", ["-xf", `${made}/${name}`, "-C", made]);
}

async function must(program: string, args: string[], env: Record<string, string> = {}): Promise<void> {
  const { code, stderr } = await new Deno.Command(program, { args, env, stdin: "null", stdout: "null" })
    .output();
  const said = new TextDecoder().decode(stderr).trim().split("\n").slice(-3).join("; ");
  if (code !== 0) throw new Error(`${program.split("/").at(-1)} has failed: ${said}`);
}

function isFile(path: string): Promise<boolean> {
  return Deno.stat(path).then((found) => found.isFile, () => false);
}
