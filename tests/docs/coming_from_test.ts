import assert from "node:assert/strict";
import { accountLines } from "../../src/core/import/account.ts";
import { importCompose } from "../../src/core/import/compose/import_compose.ts";
import { importCron } from "../../src/core/import/cron/import_cron.ts";
import { importAs } from "../core/import/corpus.ts";

/** The blocks of a page by the language behind their fence, in order. */
async function blocksOf(page: string): Promise<{ language: string; text: string }[]> {
  const text = await Deno.readTextFile(new URL(`../../docs/coming-from/${page}.md`, import.meta.url));
  return [...text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(([, language = "", body = ""]) => ({
    language,
    text: body,
  }));
}

/** The units without the remarks above them. */
function withoutRemarks(toml: string): string {
  return toml.replaceAll(/^#.*\n/gm, "").replaceAll(/\n{3,}/g, "\n\n").trimStart();
}

Deno.test("docs/coming-from/cron.md shows what its example really becomes", async () => {
  const blocks = await blocksOf("cron");
  const at = blocks.findIndex(({ language }) => language === "crontab");
  const [source, units, account] = blocks.slice(at);
  assert.deepEqual([source?.language, units?.language], ["crontab", "toml"]);
  const { imported, text } = importAs(importCron, source?.text ?? "", { path: "-" });
  assert.equal(withoutRemarks(text), units?.text);
  assert.equal(`${accountLines(imported).join("\n")}\n`, account?.text);
});

Deno.test("docs/coming-from/compose.md shows what its example really becomes", async () => {
  const blocks = await blocksOf("compose");
  const at = blocks.findIndex(({ language }) => language === "yaml");
  const [source, units, account] = blocks.slice(at);
  assert.deepEqual([source?.language, units?.language], ["yaml", "toml"]);
  const { imported, text } = importAs(importCompose, source?.text ?? "", { path: "/srv/shop/compose.yaml" });
  assert.equal(withoutRemarks(text), units?.text);
  assert.equal(`${accountLines(imported).join("\n")}\n`, account?.text);
});
