import { resolve } from "node:path";
import type { ExportFile } from "../importers/export/exported.ts";
import { Fault, messageOf } from "../fault.ts";

/**
 * Writes the files of an export into a folder, each whole or not at all; those with secrets have mode 0600. A file that
 * no export has made, or that was changed since, is kept unless `force` is set: then nothing is written. Throws `Fault`.
 */
export async function writeExport(
  folder: string,
  files: readonly ExportFile[],
  { force }: { force: boolean },
): Promise<void> {
  const place = resolve(folder);
  const parts: { part: string; path: string }[] = [];
  try {
    await Deno.mkdir(place, { recursive: true });
    const record = readRecord(place);
    const hashes = new Map<string, string>();
    for (const { name, text } of files) hashes.set(name, await hashOf(new TextEncoder().encode(text)));
    if (!force) await refuseForeign(folder, { record, hashes });
    for (const { name, text, secret } of files) {
      parts.push({
        part: await writePart(place, { text, mode: secret ? 0o600 : 0o644 }),
        path: `${place}/${name}`,
      });
    }
    // Before the files: one that stands there then is known, whatever comes between.
    for (const [name, hash] of hashes) record[name] = [...new Set([...(record[name] ?? []), hash])].slice(-2);
    const text = `${JSON.stringify({ schema_version: 1, files: record }, null, 2)}\n`;
    Deno.renameSync(await writePart(place, { text, mode: 0o600 }), `${place}/${recordName}`);
    for (const { part, path } of parts.splice(0)) Deno.renameSync(part, path);
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault(
      "internal",
      `cannot export to "${folder}": ${messageOf(error)}; name a folder that is yours and has room`,
    );
  } finally {
    for (const { part } of parts) await Deno.remove(part).catch(() => {});
  }
}

/** Which files of a folder are exports: their newest hashes, by name. */
const recordName = ".svc-export.json";

type Hashes = Record<string, string[]>;

function readRecord(place: string): Hashes {
  try {
    const { files } = JSON.parse(Deno.readTextFileSync(`${place}/${recordName}`));
    return Object.fromEntries(
      Object.entries(files ?? {}).map((
        [name, hashes],
      ) => [name, Array.isArray(hashes) ? hashes.map(String) : []]),
    );
  } catch (error) {
    // A record that can't be read knows of nothing: files are kept then.
    if (error instanceof Deno.errors.NotFound || error instanceof SyntaxError) return {};
    throw error;
  }
}

async function refuseForeign(
  folder: string,
  { record, hashes }: { record: Hashes; hashes: ReadonlyMap<string, string> },
): Promise<void> {
  const foreign: string[] = [];
  for (const [name, hash] of hashes) {
    const there = await hashAt(`${resolve(folder)}/${name}`);
    if (there !== undefined && there !== hash && !record[name]?.includes(there)) foreign.push(`"${name}"`);
  }
  if (foreign.length === 0) return;
  const what = foreign.length > 3
    ? `${foreign.slice(0, 3).join(", ")} and ${foreign.length - 3} more`
    : foreign.join(", ");
  throw new Fault(
    "conflict",
    `cannot export to "${folder}": ${what} there was not made by an export, or was changed since; name another folder, or add --force`,
  );
}

/** Undefined where there is nothing; what is no file has no hash that is known. */
async function hashAt(path: string): Promise<string | undefined> {
  try {
    if (!Deno.lstatSync(path).isFile) return "";
    return await hashOf(Deno.readFileSync(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

async function writePart(place: string, { text, mode }: { text: string; mode: number }): Promise<string> {
  const part = await Deno.makeTempFile({ dir: place, prefix: ".svc-", suffix: ".part" });
  try {
    using file = await Deno.open(part, { write: true });
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
    await file.sync();
    await Deno.chmod(part, mode);
    return part;
  } catch (error) {
    await Deno.remove(part).catch(() => {});
    throw error;
  }
}
