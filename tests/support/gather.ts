import { basename, dirname } from "node:path";

/** So many files at most are in a module: modules run beside each other, and what is in one after each other. */
const most = 12;

/**
 * Writes modules below `to` that import the test files of a folder, some each; answers the modules. More than half of
 * the time of short tests is that each file reads all that it imports anew: so a module does it once. Files with
 * snapshots, which are looked for beside the module, stay as they are. `files` are paths in `root`, which ends in "/".
 */
export async function gather(
  files: readonly string[],
  { root, to }: { root: string; to: string },
): Promise<string[]> {
  const { own = [], shared = [] } = Object.groupBy(
    files,
    (file) => hasSnapshots(root + file) ? "own" : "shared",
  );
  const modules: string[] = [];
  for (const [folder, its] of Map.groupBy(shared, (file) => dirname(file))) {
    await Deno.mkdir(`${to}/${folder}`, { recursive: true });
    for (let from = 0; from < its.length; from += most) {
      const module = `${to}/${folder}/all_${from}_test.ts`;
      const imports = its.slice(from, from + most).map((file) => `import "file://${root}${file}";\n`);
      await Deno.writeTextFile(module, imports.join(""));
      modules.push(module);
    }
  }
  return [...modules, ...own.map((file) => root + file)];
}

function hasSnapshots(file: string): boolean {
  try {
    return Deno.statSync(`${dirname(file)}/__snapshots__/${basename(file)}.snap`).isFile;
  } catch {
    return false;
  }
}
