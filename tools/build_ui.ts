/**
 * Bundles the page into ui/dist: scripts in pieces that are loaded when they are wanted, one style sheet out of all,
 * and a list of them for the program. With --check it only tells whether what is there is up to date.
 */
import { rollup } from "@rollup/wasm-node";
import { minify } from "terser";
import { walkFiles } from "./walk_files.ts";

const target = "ui/dist";
const isCheck = Deno.args.includes("--check");
const made = await Deno.makeTempDir({ dir: "ui", prefix: ".build-" });
try {
  await bundle(made);
  if (isCheck) {
    if (await print(made) !== await print(target)) {
      fail(`${target} is not what ui/ makes: run "deno task build" and commit it`);
    }
  } else {
    await replace(target, made);
  }
} finally {
  await Deno.remove(made, { recursive: true }).catch(() => {});
}

/** Puts a folder in another's place: whoever looks sees one of both, but for a moment none, and never half of one. */
async function replace(old: string, fresh: string): Promise<void> {
  const aside = `${fresh}-former`;
  await Deno.chmod(fresh, 0o755);
  await Deno.rename(old, aside).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
  await Deno.rename(fresh, old);
  await Deno.remove(aside, { recursive: true }).catch(() => {});
}

async function bundle(folder: string): Promise<void> {
  const pieces = `${folder}/pieces`;
  const { success, stderr } = await new Deno.Command("deno", {
    args: [
      ...["bundle", "--quiet", "--platform", "browser", "--minify", "--code-splitting", "--outdir", pieces],
      ...["ui/main.tsx", "ui/docs.tsx"],
    ],
  }).output();
  if (!success) return fail(new TextDecoder().decode(stderr));
  await join(pieces, folder);
  await Deno.remove(pieces, { recursive: true });
  const sheets = (await walkFiles("ui")).filter((path) =>
    path.endsWith(".css") && !path.startsWith(`${target}/`) && path !== "ui/docs.css" &&
    path !== "ui/style.css"
  );
  // The tokens come first.
  const texts = await Promise.all(["ui/style.css", ...sheets].map((path) => Deno.readTextFile(path)));
  await Deno.writeTextFile(`${folder}/style.css`, texts.join("\n"));
  const names = (await walkFiles(folder)).map((path) => path.slice(folder.length + 1));
  await Deno.writeTextFile(`${folder}/files.ts`, listOf(names));
}

/** What several views share becomes one script instead of many, and all are made as small as they can be. */
async function join(pieces: string, folder: string): Promise<void> {
  const made = await rollup({
    input: { main: `${pieces}/main.js`, docs: `${pieces}/docs.js` },
    // Not so property reads: to read a signal is to listen to it.
    treeshake: { moduleSideEffects: false },
  });
  const { output } = await made.generate({
    format: "es",
    entryFileNames: "[name].js",
    // The bundler has put a hash of its own behind the names of views.
    chunkFileNames: ({ name }) => `${name.replace(/-[A-Z0-9]{8}$/, "")}-[hash].js`,
    hashCharacters: "base36",
    hoistTransitiveImports: false,
    manualChunks: (id) => id.includes("/chunk-") ? "base" : undefined,
  });
  for (const file of output) {
    if (file.type !== "chunk") continue;
    const { code = "" } = await minify(file.code, {
      module: true,
      compress: { passes: 3, unsafe_arrows: true },
      format: { ecma: 2020 },
    });
    await Deno.writeTextFile(`${folder}/${file.fileName}`, code);
  }
  await made.close();
}

/** A module that holds every file as a text. */
function listOf(names: readonly string[]): string {
  const imports = names.map((name, i) => `import f${i} from "./${name}" with { type: "text" };\n`).join("");
  const entries = names.map((name, i) => `  ${JSON.stringify(name)}: f${i},\n`).join("");
  return `/** Made by tools/build_ui.ts. */\n${imports}export const files: Record<string, string> = {\n${entries}};\n`;
}

/** All that a folder holds, as one text. */
async function print(folder: string): Promise<string> {
  const paths = await walkFiles(folder).catch(() => []);
  const parts = paths.map(async (path) => `${path.slice(folder.length)}\n${await Deno.readTextFile(path)}`);
  return (await Promise.all(parts)).join("\n");
}

function fail(message: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(message + "\n"));
  Deno.exitCode = 1;
}
