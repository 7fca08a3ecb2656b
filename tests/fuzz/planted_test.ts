import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { inFolder } from "../support/folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A bug that fuzzing must find: texts of a file that are replaced. */
interface Planted {
  name: string;
  target: string;
  file: string;
  changes: [search: string, replace: string][];
  finding: RegExp;
}

const planted: Planted[] = [
  {
    name: "a long line that is drawn over is begun again and again, at the same byte",
    target: "terminal",
    file: "src/core/log/terminal.ts",
    changes: [
      ["    const { region } = live;\n    this.#isUntouched = true;\n", "    const { region } = live;\n"],
      ["begun.length < FULL && ", ""],
      ["if (!(this.#taken > from) && !hasBegun)", "if (this.#taken < from)"],
    ],
    finding: /no end within/,
  },
  {
    name: "the same, where each step has to take a byte",
    target: "terminal",
    file: "src/core/log/terminal.ts",
    changes: [
      ["    const { region } = live;\n    this.#isUntouched = true;\n", "    const { region } = live;\n"],
      ["begun.length < FULL && ", ""],
    ],
    // A busy machine may see the first sign later than the deadline.
    finding: /the terminal broke down|no end within/,
  },
  {
    name: "what could be the beginning of a secret is forgotten between chunks",
    target: "mask",
    file: "src/core/log/mask.ts",
    changes: [["undecided(this.#plan, bytes), take)", "bytes.length, take)"]],
    finding: /masked differently/,
  },
  {
    name: "8-bit commands inside of a secret are read as the page reads them alone",
    target: "mask",
    file: "src/core/log/unseen.ts",
    changes: [["{ has8Bit: true, isLenient: true }", "{ has8Bit: false, isLenient: true }"]],
    finding: /shown to/,
  },
  {
    name: "a character without width is taken for one that is seen",
    target: "mask",
    file: "src/core/log/unseen.ts",
    changes: [["third >= 0x8b", "third >= 0x8c"]],
    finding: /shown to/,
  },
  {
    name: "base64 is looked for in whole lines alone",
    target: "mask",
    file: "src/core/log/secret_forms.ts",
    changes: [["forms.set(form, true)", "forms.set(form, false)"]],
    finding: /broken into lines/,
  },
  {
    name: "an entry of a journal is believed that was not written to its end",
    target: "journal",
    file: "src/core/log/journal.ts",
    changes: [[" || view.getUint32(end) !== ~generation >>> 0", ""]],
    finding: /not {|as many lines/,
  },
  {
    name: "a row that comes out of a journal has forgotten that the cursor has come back to it",
    target: "journal",
    file: "src/core/log/row_cells.ts",
    changes: [["    this.isRevisited = state.isRevisited;\n", ""]],
    finding: /not {|as many lines/,
  },
  {
    name: "a row is full a byte later than its bytes say",
    target: "terminal",
    file: "src/core/log/row.ts",
    changes: [["i < range.to && this.drawn < FULL", "i < range.to"]],
    finding: /in chunks/,
  },
];

/** Copies the source files of a folder, and of those in it. */
function copy(from: string, to: string): void {
  Deno.mkdirSync(to, { recursive: true });
  for (const { name, isDirectory } of Deno.readDirSync(from)) {
    if (isDirectory) copy(`${from}/${name}`, `${to}/${name}`);
    else if (name.endsWith(".ts")) Deno.copyFileSync(`${from}/${name}`, `${to}/${name}`);
  }
}

for (const { name, target, file, changes, finding } of planted) {
  Deno.test(`fuzzing finds a planted bug: ${name}`, () =>
    inFolder(async (folder) => {
      for (const part of ["src", "tests/fuzz", "tests/core/log", "tests/simulation"]) {
        copy(`${root}/${part}`, `${folder}/${part}`);
      }
      for (const one of ["deno.json", "deno.lock"]) Deno.copyFileSync(`${root}/${one}`, `${folder}/${one}`);
      let text = Deno.readTextFileSync(`${folder}/${file}`);
      for (const [search, replace] of changes) {
        assert.equal(text.split(search).length, 2, `${file} holds the text exactly once: ${search}`);
        text = text.replace(search, () => replace);
      }
      Deno.writeTextFileSync(`${folder}/${file}`, text);
      // On a busy machine a seed may take its time that is to come to an end.
      const deadline = finding.test("no end within") ? 10_000 : 60_000;
      const { stdout, code } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--no-prompt", "--no-check", "tests/fuzz/main.ts", target],
        cwd: folder,
        env: { FUZZ_SEEDS: "1-3000", FUZZ_MOST: "1", FUZZ_DEADLINE: String(deadline), NO_COLOR: "1" },
      }).output();
      const said = new TextDecoder().decode(stdout);
      assert.equal(code, 1, said);
      assert.match(said, finding);
    }));
}
