/** What importing a large crontab costs. */

import { runImport } from "../../src/local/import/run_import.ts";
import { atMost, type Figure } from "./figures.ts";

/** Imports a crontab of 10,000 entries, checked by svc's own loader, and gives the best of three times, in ms. */
export async function benchImports(): Promise<Figure[]> {
  const folder = await Deno.makeTempDir({ prefix: "svc-bench-" });
  try {
    const table = `${folder}/table`;
    const lines = Array.from(
      { length: 10_000 },
      (_, n) => `${n % 60} ${n % 24} * * * /opt/x/job${n % 100} ${n}\n`,
    );
    await Deno.writeTextFile(table, lines.join(""));
    await Deno.writeTextFile(`${folder}/svc.toml`, "");
    let best = Infinity;
    for (let round = 0; round < 3; round++) {
      const start = performance.now();
      const { imported } = await runImport({ config: `${folder}/svc.toml` }, {
        kind: "cron",
        files: [table],
        system: false,
        write: false,
      });
      best = Math.min(best, performance.now() - start);
      if (imported.units.length !== 10_000) throw new Error("the benchmark's crontab was not taken");
    }
    return [atMost(1000, { figure: "import 10,000 lines of a crontab", value: best, unit: "ms" })];
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
