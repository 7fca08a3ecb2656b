/** The command that runs all tests, or those that it names: brings what they need, and says what was left out. */
import { bringChromium, findChromium } from "./chromium.ts";

const print = (text: string): void => void Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));

if (await findChromium() === undefined) {
  print("there is no Chromium here: fetching one into dist (70 MB) for the tests of the page");
  await bringChromium().catch((error) => print(`cannot bring a Chromium: ${error.message}`));
}
const { code } = await new Deno.Command(Deno.execPath(), {
  args: ["test", "-A", "--no-prompt", "--parallel", ...Deno.args],
}).spawn().status;
// Only now it is sure what there is.
const { leftOut } = await import("./needs.ts");
const lacks = leftOut();
if (lacks.length > 0) print(`ignored, since this machine lacks something: ${lacks.join("; ")}`);
Deno.exit(code);
