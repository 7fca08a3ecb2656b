import assert from "node:assert/strict";
import { load } from "../core/config/memory.ts";
import { unheededPipes } from "../../src/core/pipes.ts";
import { walkFiles } from "../../tools/walk_files.ts";

const root = new URL("../../", import.meta.url).pathname;

Deno.test("Each piece of configuration in the documentation is one that the loader takes", async () => {
  const pages = [
    `${root}README.md`,
    ...(await walkFiles(`${root}docs`)).filter((path) =>
      path.endsWith(".md") && !path.includes("/coming-from/")
    ),
  ];
  const wrong: string[] = [];
  let count = 0;
  for (const page of pages) {
    const text = await Deno.readTextFile(page);
    for (const [, block] of text.matchAll(/^```toml\n([^]*?)^```/gm)) {
      count++;
      const env = { NTFY_TOKEN: "t", MAIL_PASSWORD: "p", PORT: "1", TOKEN: "t" };
      const files: Record<string, string> = { "/c/svc.toml": block! };
      const { config, errors } = load(files, {
        env,
        isRoot: true,
        // What a piece names beside itself is there, and says something.
        read: (path) => ({
          text: files[path] ?? (path.endsWith(".env") ? "A=1\n" : "https://example.com/0123456789abcdef"),
          bytes: new Uint8Array(),
        }),
        parseYaml: () => ({ value: { services: { web: {}, db: {}, worker: {} } } }),
      });
      for (const { name } of unheededPipes(config?.units ?? [])) {
        wrong.push(`${page.slice(root.length)}: ${name} has a pipe without pipefail`);
      }
      for (const { line, message } of errors) {
        wrong.push(`${page.slice(root.length)}: line ${line} of a block: ${message}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(count >= 5, `only ${count} were found`);
});
