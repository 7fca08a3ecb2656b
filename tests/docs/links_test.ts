import assert from "node:assert/strict";
import { walkFiles } from "../../tools/walk_files.ts";

const root = new URL("../../", import.meta.url).pathname;
const pages = [
  ...["README.md", "CHANGELOG.md", "CONTRIBUTING.md"].map((name) => `${root}${name}`),
  ...(await walkFiles(`${root}docs`)).filter((path) => path.endsWith(".md")),
];

/** As forges make it of a heading. */
function anchorOf(heading: string): string {
  return heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").trim().replaceAll(" ", "-");
}

function anchorsOf(text: string): Set<string> {
  const prose = text.replace(/^```[^]*?^```/gm, "");
  return new Set([...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading!)));
}

Deno.test("Each link of the documentation leads to a file or a heading that is there", async () => {
  const missing: string[] = [];
  for (const page of pages) {
    const text = await Deno.readTextFile(page);
    for (const [, target] of text.replace(/^```[^]*?^```/gm, "").matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target!)) continue;
      const [path = "", anchor] = target!.split("#");
      const file = path === "" ? page : new URL(path, `file://${page}`).pathname;
      const there = await Deno.stat(file).catch(() => undefined);
      const isGood = there !== undefined &&
        (anchor === undefined || anchorsOf(await Deno.readTextFile(file)).has(anchor));
      if (!isGood) missing.push(`${page.slice(root.length)}: ${target}`);
    }
  }
  assert.deepEqual(missing, []);
});

Deno.test("Where a comment of the source sends its reader there is a page and a heading, and nowhere outside the project", async () => {
  const wrong: string[] = [];
  let named = 0;
  for (const folder of ["src", "ui", "tests"]) {
    for (const file of await walkFiles(root + folder)) {
      if (!/\.tsx?$/.test(file) || file.includes("/dist/") || file === import.meta.filename) continue;
      const text = await Deno.readTextFile(file);
      for (const [, path, anchor] of text.matchAll(/\b(docs\/[\w/-]+\.md)#([\w-]+)/g)) {
        named++;
        const page = await Deno.readTextFile(root + path).catch(() => "");
        if (!anchorsOf(page).has(anchor!)) wrong.push(`${file.slice(root.length)}: ${path}#${anchor}`);
      }
      const [elsewhere] = /\bcontract \d|\(specification\b/.exec(text) ?? [];
      if (elsewhere !== undefined) {
        wrong.push(`${file.slice(root.length)}: "${elsewhere}" has no address here`);
      }
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(named > 60);
});

Deno.test("The README names every page of docs/, or the index that has it", async () => {
  const readme = await Deno.readTextFile(`${root}README.md`);
  const names = pages.map((page) => page.slice(root.length));
  const isIndexed = (page: string): boolean => {
    const index = page.replace(/[^/]+$/, "README.md");
    return page !== index && names.includes(index) &&
      Deno.readTextFileSync(root + index).includes(`(${page.slice(index.length - "README.md".length)})`);
  };
  const unnamed = names.filter((page) =>
    page.startsWith("docs/") && !readme.includes(`(${page})`) && !isIndexed(page)
  );
  assert.deepEqual(unnamed, []);
});
