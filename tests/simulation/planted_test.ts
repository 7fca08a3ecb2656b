import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { inFolder } from "../support/folder.ts";
import { type Planted, planted } from "./planted.ts";
import { plantedKeepers } from "./planted_keepers.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** So many seeds must be enough for each. */
const seeds = 200;
const all = [...planted, ...plantedKeepers];
/** Part of the names of those that are wanted. */
const only = Deno.env.get("SIMULATION_BUGS") ?? "";
/** How many simulations run at once. */
const atOnce = 2;

/** Copies files of a folder, and of those in it. */
function copy(from: string, to: string): void {
  Deno.mkdirSync(to, { recursive: true });
  for (const { name, isDirectory } of Deno.readDirSync(from)) {
    if (isDirectory) copy(`${from}/${name}`, `${to}/${name}`);
    else if (name.endsWith(".ts")) Deno.copyFileSync(`${from}/${name}`, `${to}/${name}`);
  }
}

/** Plays seeds against a copy of the source with one bug in it; answers what was printed. */
async function huntFor({ file, search, replace, from = 1, keeps }: Planted, folder: string): Promise<string> {
  for (const part of ["src", "tests/simulation", "tests/support"]) {
    copy(`${root}/${part}`, `${folder}/${part}`);
  }
  for (const name of ["deno.json", "deno.lock"]) Deno.copyFileSync(`${root}/${name}`, `${folder}/${name}`);
  const before = Deno.readTextFileSync(`${folder}/${file}`);
  assert.equal(before.split(search).length, 2, `${file} holds the text exactly once: ${search}`);
  Deno.writeTextFileSync(`${folder}/${file}`, before.replace(search, () => replace));
  const { stdout, stderr, code } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-prompt", "--no-check", "tests/simulation/main.ts"],
    cwd: folder,
    env: {
      SIMULATION_SEEDS: `${from}-${from + seeds - 1}`,
      SIMULATION_KEEPS: keeps ? "yes" : "no",
      SIMULATION_MOST: "1",
      SIMULATION_SHRINK: "no",
      NO_COLOR: "1",
    },
  }).output();
  const said = new TextDecoder().decode(stdout);
  assert.equal(code, 1, `nothing was found: ${said}${new TextDecoder().decode(stderr)}`);
  return said;
}

Deno.test("the simulation finds each bug that is planted", async (t) => {
  const bugs = all.filter(({ name }) => name.includes(only));
  const left = [...bugs];
  const results = new Map<string, string | Error>();
  const work = async (): Promise<void> => {
    for (let bug = left.shift(); bug !== undefined; bug = left.shift()) {
      const { name } = bug;
      const one = bug;
      await inFolder(async (folder) => {
        results.set(name, await huntFor(one, folder));
      }).catch((error: Error) => results.set(name, error));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  for (const { name } of bugs) {
    await t.step(name, () => {
      const result = results.get(name)!;
      if (result instanceof Error) throw result;
      assert.match(result, /^seed \d+, move \d+: (?!an error escapes)/);
      if (Deno.env.has("SIMULATION_TELL")) {
        Deno.stderr.writeSync(new TextEncoder().encode(`${name}\n  ${result.split("\n")[0]}\n`));
      }
    });
  }
});
