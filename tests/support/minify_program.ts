/**
 * Makes the scripts of a bundle small, in place: `deno bundle --minify` loses `using` where what is opened is used once,
 * and so what closes it. The first argument is their folder.
 */
import { minify } from "terser";

const folder = Deno.args[0] ?? ".";
for await (const { name } of Deno.readDir(folder)) {
  if (!name.endsWith(".js")) continue;
  const path = `${folder}/${name}`;
  const source = await Deno.readTextFile(path);
  const { code = "" } = await minify(source, {
    module: true,
    // The form of React and Ink that is not for development.
    compress: { global_defs: { "process.env.NODE_ENV": "production" } },
    // V8 keeps the text of a script that has other letters in twice the space.
    format: { ecma: 2020, ascii_only: true },
  });
  const [before, after] = [source, code].map((text) => text.match(/\busing [\w$]+ ?=/g)?.length ?? 0);
  if (before !== after) {
    throw new Error(
      `${name} has ${before} times "using", and ${after} when it is small: mend minify_program.ts`,
    );
  }
  await Deno.writeTextFile(path, code);
}
