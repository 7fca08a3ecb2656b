import assert from "node:assert/strict";
import { accountLines } from "../../src/importers/import/account.ts";
import { importCompose } from "../../src/importers/import/compose/import_compose.ts";
import { importCron } from "../../src/importers/import/cron/import_cron.ts";
import type { Importer } from "../../src/importers/import/imported.ts";
import { importPm2 } from "../../src/importers/import/pm2/import_pm2.ts";
import { importSupervisord } from "../../src/importers/import/supervisord/import_supervisord.ts";
import { importSystemd } from "../../src/importers/import/systemd/import_systemd.ts";
import { importAs } from "../importers/import/corpus.ts";

/** Pages, the language of their example, and where its text stands. */
const pages: readonly { page: string; language: string; path: string; importer: Importer }[] = [
  { page: "cron", language: "crontab", path: "-", importer: importCron },
  { page: "systemd", language: "ini", path: "-", importer: importSystemd },
  { page: "supervisord", language: "ini", path: "-", importer: importSupervisord },
  { page: "pm2", language: "js", path: "/srv/shop/ecosystem.config.js", importer: importPm2 },
  { page: "compose", language: "yaml", path: "/srv/shop/compose.yaml", importer: importCompose },
];

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

for (const { page, language, path, importer } of pages) {
  Deno.test(`docs/coming-from/${page}.md shows what its example really becomes`, async () => {
    const blocks = await blocksOf(page);
    const at = blocks.findIndex((block) => block.language === language);
    const [source, units, account] = blocks.slice(at);
    assert.deepEqual([source?.language, units?.language], [language, "toml"]);
    const { imported, text } = importAs(importer, source?.text ?? "", { path });
    assert.equal(withoutRemarks(text), units?.text);
    assert.equal(`${accountLines(imported).join("\n")}\n`, account?.text);
  });
}
