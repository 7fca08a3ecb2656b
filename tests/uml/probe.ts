/** Prints what a daemon in this process's place would find of control groups; the argument is the key of its installation. */
import { probeGroups } from "../../src/io/process/group_probe.ts";

const { trees, shared } = await probeGroups(Deno.args[0]!);
const tree = trees.find(({ v2 }) => v2);
// deno-lint-ignore no-console
console.log(JSON.stringify({ controllers: [...tree?.controllers ?? []].sort().join(" "), shared }));
