import assert from "node:assert/strict";
import type { Exported } from "../../src/importers/export/exported.ts";
import { exportKubernetes } from "../../src/importers/export/kubernetes/kubernetes.ts";
import { exportNomad } from "../../src/importers/export/nomad/nomad.ts";
import { exportSystemd } from "../../src/importers/export/systemd/systemd.ts";
import { config } from "../core/config/memory.ts";
import { orderOf } from "../importers/export/everything.ts";

const page = await Deno.readTextFile(new URL("../../docs/leaving.md", import.meta.url));

/** The examples of the page in one language. */
function examples(language: string): string[] {
  return [...page.matchAll(RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(([, block]) => block!);
}

const { units } = config({ "/etc/svc/svc.toml": examples("toml")[0]! }, { path: "/etc/svc/svc.toml" });

function shows(language: string, { files, refused }: Exported, names: readonly string[]): void {
  const texts = names.map((name) => files.find((file) => file.name === name)?.text ?? assert.fail(name));
  assert.deepEqual(examples(language), texts);
  assert.deepEqual(refused, []);
}

Deno.test("docs/leaving.md shows what its example becomes for systemd", () => {
  shows("ini", exportSystemd(orderOf(units)), ["backup.service", "backup.timer", "web.service"]);
});

Deno.test("docs/leaving.md shows what its example becomes for Kubernetes", () => {
  shows("yaml", exportKubernetes(orderOf(units, { image: "registry/shop:1" })), ["backup.yaml", "web.yaml"]);
});

Deno.test("docs/leaving.md shows what its example becomes for Nomad", () => {
  shows("json", exportNomad(orderOf(units)), ["backup.nomad.json"]);
});
