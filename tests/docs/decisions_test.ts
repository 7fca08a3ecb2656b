import assert from "node:assert/strict";

const root = new URL("../../", import.meta.url).pathname;
const folder = `${root}docs/decisions/`;
const pages = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => name !== "README.md");

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path) !== undefined;
  } catch {
    return false;
  }
}

function read(name: string): string {
  return Deno.readTextFileSync(folder + name);
}

Deno.test("Each page of a decision says what, when, with which figures, against what, and where, in less than 40 lines", () => {
  assert.ok(pages.length >= 10);
  for (const name of pages) {
    const text = read(name);
    assert.ok(text.split("\n").length < 40, name);
    assert.match(text, /^# .+\n\nDecided on \d{4}-\d\d-\d\d\b/, name);
    const parts = [...text.matchAll(/^## (.+)\n\n(?!#)\S/gm)].map(([, title]) => title);
    assert.deepEqual(parts, ["Decided", "Figures", "Rejected", "Where it lives"], name);
  }
});

Deno.test("The index of decisions and the plan of the code name each page, by its title and date", () => {
  const index = read("README.md");
  const plan = Deno.readTextFileSync(`${root}docs/architecture.md`);
  for (const name of pages) {
    const [, title, date] = /^# (.+)\n\nDecided on ([\d-]+)/.exec(read(name))!;
    const row = index.split("\n").find((line) => line.includes(`[${title}](${name})`));
    assert.ok(row?.includes(date!), name);
    assert.ok(plan.includes(`(decisions/${name})`), name);
  }
});

Deno.test("Where a decision lives there are files", () => {
  const missing: string[] = [];
  for (const name of pages) {
    const [, where = ""] = read(name).split("## Where it lives");
    const named = [...where.matchAll(/`((?:src|tests|tools)\/[\w/.]+|[a-z_]+\.ts)`/g)].map(([, path]) =>
      path!
    );
    assert.ok(named.length > 0, name);
    let beside = "";
    for (const path of named) {
      const full = path.includes("/") ? path : beside + path;
      if (!isThere(root + full)) missing.push(`${name}: ${full}`);
      if (path.includes("/")) beside = /\.\w+$/.test(path) ? path.replace(/[^/]+$/, "") : `${path}/`;
    }
  }
  assert.deepEqual(missing, []);
});
