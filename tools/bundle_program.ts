/**
 * Makes the program of the portable form: `bundle_program.ts SOURCE PROGRAM`. SOURCE is the folder of a copy of the
 * source, which gets a `node_modules`; PROGRAM is where the scripts go. The same source gives the same scripts, in
 * whichever folders and for whichever user.
 */
import { minify } from "terser";

/** Bundles the source in one folder into scripts in another. Throws when the bundler fails, or has changed its ways. */
export async function bundleProgram(source: string, program: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    // The bundler names scripts by the paths of what is in them, seen from its working folder: so that is the source's,
    // and packages lie in it, not in the cache of whoever builds.
    cwd: source,
    args: [
      ...["bundle", "--quiet", "--config", "deno.json", "--node-modules-dir=auto"],
      // Ink asks for its developer tools only where DEV is set; they are no part of svc.
      ...["--platform", "deno", "--code-splitting", "--external", "react-devtools-core"],
      ...["--outdir", await Deno.realPath(await made(program)), "main.ts"],
    ],
    stdin: "null",
  }).output();
  if (!success) throw new Error(`deno bundle failed: ${new TextDecoder().decode(stderr)}`);
  const scripts = [...Deno.readDirSync(program)].map(({ name }) => name).sort();
  if (!scripts.includes("main.js")) throw new Error(`deno bundle made no main.js in "${program}"`);
  for (const name of scripts) {
    if (!name.endsWith(".js")) throw new Error(`the bundler made "${name}", which is no script`);
    const path = `${program}/${name}`;
    const text = lazyRequire(await Deno.readTextFile(path));
    await Deno.writeTextFile(path, lateImports(await smallScript(text, name), name));
  }
}

/**
 * The bundler's own require() loads all of Node's modules into every process, 15 MB of them; it is made when it is
 * wanted. Throws where it is made in another way than it was.
 */
export function lazyRequire(text: string): string {
  const lazy = text
    .replace(/^import \{ createRequire as __deno_internal_createRequire \}.*\n/m, "")
    .replace(
      /^var __require = __deno_internal_createRequire\(import\.meta\.url\);$/m,
      () =>
        `var __require = (name) => process.getBuiltinModule("node:module").createRequire(import.meta.url)(name);`,
    );
  if (lazy.includes("__deno_internal_createRequire")) {
    throw new Error(
      "the bundler makes its require() in another way than it did: mend tools/bundle_program.ts",
    );
  }
  return lazy;
}

/**
 * A script made small: `deno bundle --minify` loses `using` where what is opened is used once, and so what closes it.
 * Throws where this loses one as well.
 */
export async function smallScript(text: string, name: string): Promise<string> {
  const { code = "" } = await minify(text, {
    module: true,
    // The form of React and Ink that is not for development.
    compress: { global_defs: { "process.env.NODE_ENV": "production" } },
    // V8 keeps the text of a script that has other letters in twice the space.
    format: { ecma: 2020, ascii_only: true },
  });
  const [before, after] = [text, code].map((one) => one.match(/\busing [\w$]+ ?=/g)?.length ?? 0);
  if (before !== after) {
    throw new Error(
      `${name} has ${before} times "using", and ${after} when it is small: mend tools/bundle_program.ts`,
    );
  }
  return code;
}

/**
 * What is loaded when it is wanted must not be read at each start, and Deno follows what it can see: so those imports
 * are hidden from it. Workers may read no other files than they were given, so theirs have to be seen.
 */
export function lateImports(text: string, name: string): string {
  if (/^(?:serve|net_worker)-/.test(name)) return text;
  return text.replace(/\bimport\("\.\/(?!serve-)/g, `import(""+"./`);
}

async function made(folder: string): Promise<string> {
  await Deno.mkdir(folder, { recursive: true });
  return folder;
}

if (import.meta.main) {
  const [source, program] = Deno.args;
  if (source === undefined || program === undefined) {
    throw new Error("usage: bundle_program.ts SOURCE PROGRAM");
  }
  await bundleProgram(source, program);
}
