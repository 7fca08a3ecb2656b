/**
 * Prints what a daemon in this process's place would find of control groups. Arguments: the key of its installation; then
 * "managed" where systemd enters its group again, and the path of a scope for its runs.
 */
import { probeGroups } from "../../src/io/process/group_probe.ts";

const { trees, shared } = await probeGroups(Deno.args[0]!, {
  isManaged: Deno.args[1] === "managed",
  scope: Deno.args[2],
});
const tree = trees.find(({ v2 }) => v2);
// deno-lint-ignore no-console
console.log(JSON.stringify({ controllers: [...tree?.controllers ?? []].sort().join(" "), shared }));
