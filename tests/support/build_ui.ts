/** Bundles the page into ui/dist. With --check it only tells whether what is there is up to date. */
const isCheck = Deno.args.includes("--check");
for (const entry of ["main", "docs"]) {
  const target = `ui/dist/${entry}.js`;
  const made = isCheck ? await Deno.makeTempFile({ dir: "ui/dist", suffix: ".js" }) : target;
  try {
    const { success, stderr } = await new Deno.Command("deno", {
      args: ["bundle", "--quiet", "--platform", "browser", "--minify", "-o", made, `ui/${entry}.tsx`],
    }).output();
    if (!success) fail(new TextDecoder().decode(stderr));
    if (isCheck && await Deno.readTextFile(made) !== await Deno.readTextFile(target)) {
      fail(`${target} is not what ui/ makes: run "deno task build" and commit it`);
    }
  } finally {
    if (isCheck) await Deno.remove(made);
  }
}

function fail(message: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(message + "\n"));
  Deno.exitCode = 1;
}
