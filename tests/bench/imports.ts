/** What importing large files costs. */

import { unitNames } from "../../src/importers/import/imported.ts";
import { runImport } from "../../src/local/import/run_import.ts";
import { atMost, type Figure } from "./figures.ts";

/** Files of 10,000 lines, and how many units they hold. */
const sources: readonly { kind: string; file: string; units: number; text: string }[] = [
  {
    kind: "cron",
    file: "table",
    units: 10_000,
    text: repeat(10_000, (n) => `${n % 60} ${n % 24} * * * /opt/x/job${n % 100} ${n}\n`),
  },
  {
    kind: "supervisord",
    file: "super.conf",
    units: 2500,
    text: repeat(
      2500,
      (n) => `[program:p${n}]\ncommand=/opt/x "a b" ${n}\nautorestart=true\nenvironment=A="${n}"\n`,
    ),
  },
  {
    kind: "systemd",
    file: "x.service",
    units: 1,
    text: `[Service]\nExecStart=/opt/x\n${repeat(10_000, (n) => `Environment=A${n}=x "B${n}=y z"\n`)}`,
  },
  {
    kind: "pm2",
    file: "apps.config.js",
    units: 2500,
    text: `module.exports = [\n${
      repeat(2500, (n) => `{\nname: "a${n}", script: "x.js",\nenv: { A: ${n} },\n},\n`)
    }];\n`,
  },
  {
    kind: "compose",
    file: "compose.yaml",
    units: 2000,
    text: `services:\n${
      repeat(
        2000,
        (n) =>
          `  s${n}:\n    image: x\n    restart: always\n    depends_on: [s${
            n - n % 10
          }x]\n    labels: { n: ${n} }\n`,
      )
    }`,
  },
];

/** Imports large files of each kind, checked by svc's own loader, and gives the best of three times, in ms. */
export async function benchImports(): Promise<Figure[]> {
  const folder = await Deno.makeTempDir({ prefix: "svc-bench-" });
  try {
    await Deno.writeTextFile(`${folder}/svc.toml`, "");
    const figures: Figure[] = [];
    for (const { kind, file, units, text } of sources) {
      await Deno.writeTextFile(`${folder}/${file}`, text);
      let best = Infinity;
      for (let round = 0; round < 3; round++) {
        const start = performance.now();
        const { imported } = await runImport({ config: `${folder}/svc.toml` }, {
          kind,
          files: [`${folder}/${file}`],
          system: false,
          write: false,
        });
        best = Math.min(best, performance.now() - start);
        if (imported.units.flatMap(unitNames).length !== units) {
          throw new Error(`the benchmark's file of ${kind} was not taken`);
        }
      }
      figures.push(atMost(1000, { figure: `import 10,000 lines of ${kind}`, value: best, unit: "ms" }));
    }
    return figures;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function repeat(count: number, line: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => line(n)).join("");
}
