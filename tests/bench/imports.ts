/** What importing large files costs. */

import { unitNames } from "../../src/core/import/imported.ts";
import { runImport } from "../../src/local/import/run_import.ts";
import { atMost, type Figure } from "./figures.ts";

/** A file of 10,000 lines of each kind, and how many units it makes. */
const sources = {
  cron: {
    figure: "import 10,000 lines of a crontab",
    units: 10_000,
    text: () =>
      Array.from({ length: 10_000 }, (_, n) => `${n % 60} ${n % 24} * * * /opt/x/job${n % 100} ${n}\n`).join(
        "",
      ),
  },
  compose: {
    figure: "import 10,000 lines of a compose file",
    units: 2000,
    text: () =>
      `services:\n${
        Array.from(
          { length: 2000 },
          (_, n) =>
            `  s${n}:\n    image: x\n    restart: always\n    depends_on: [s${
              n - n % 10
            }x]\n    labels: { n: ${n} }\n`,
        ).join("")
      }`,
  },
};

/** Imports files of 10,000 lines, checked by svc's own loader, and gives the best of three times each, in ms. */
export async function benchImports(): Promise<Figure[]> {
  const folder = await Deno.makeTempDir({ prefix: "svc-bench-" });
  try {
    await Deno.writeTextFile(`${folder}/svc.toml`, "");
    const figures: Figure[] = [];
    for (const [kind, { figure, units, text }] of Object.entries(sources)) {
      const file = `${folder}/${kind}`;
      await Deno.writeTextFile(file, text());
      let best = Infinity;
      for (let round = 0; round < 3; round++) {
        const start = performance.now();
        const order = { kind, files: [file], system: false, write: false };
        const { imported } = await runImport({ config: `${folder}/svc.toml` }, order);
        best = Math.min(best, performance.now() - start);
        if (imported.units.flatMap(unitNames).length !== units) {
          throw new Error(`the benchmark's ${kind} was not taken`);
        }
      }
      figures.push(atMost(1000, { figure, value: best, unit: "ms" }));
    }
    return figures;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
