/** The paths of all files below a folder, sorted; folders whose names begin with a dot are left out. */
export async function walkFiles(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (!isDirectory) found.push(`${folder}/${name}`);
    else if (!name.startsWith(".")) found.push(...await walkFiles(`${folder}/${name}`));
  }
  return found.sort();
}
