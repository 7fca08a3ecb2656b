/**
 * `deno task soak`: lets a real daemon live for SOAK_MINUTES (20) under a mixed load, and exits 1 when it grows,
 * loses or doubles a run, or gives a wrong answer. SOAK_LEAK plants a leak, which must be found.
 */
import { type Leak, leaks } from "./config.ts";
import { soak } from "./soak.ts";

const minutes = Number(Deno.env.get("SOAK_MINUTES") ?? 20);
const leak = Deno.env.get("SOAK_LEAK") as Leak | undefined;
if (!(minutes >= 1)) refuse("SOAK_MINUTES must be a number from 1 on");
if (leak !== undefined && !leaks.includes(leak)) refuse(`SOAK_LEAK must be one of ${leaks.join(", ")}`);

const leaving = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, () => leaving.abort());

let told = 0;
const { complaints, trends, counts } = await soak({
  seconds: minutes * 60,
  sampleEvery: Math.min(10, minutes),
  ...(leak === undefined ? {} : { leak }),
  signal: leaving.signal,
  onSample: ({ at, resident, descriptors, threads, database, logs }) => {
    if (at < told * 60) return;
    told++;
    print(
      `${(at / 60).toFixed(0).padStart(3)} min  ${
        resident.toFixed(1)
      } MB resident, ${descriptors} descriptors, ` +
        `${threads} threads, ${database.toFixed(2)} MB database, ${logs.toFixed(2)} MB logs`,
    );
  },
});
print(Object.entries(counts).map(([name, count]) => `${count.toLocaleString("en")} ${name}`).join(", "));
for (const { measure, first, last, most, unit, median, seconds, growth, allowed } of trends) {
  print(
    `${measure.padEnd(11)} ${first.toFixed(1)} to ${last.toFixed(1)}${unit}, at most ${most.toFixed(1)}; ` +
      `${(median * 3600).toFixed(1)} an hour; surely ${growth.toFixed(1)} in ${
        (seconds / 60).toFixed(1)
      } min, ` +
      `${allowed.toFixed(1)} allowed`,
  );
}
for (const complaint of complaints.slice(0, 50)) print(`WRONG: ${complaint}`);
print(complaints.length === 0 ? "nothing to complain of" : `${complaints.length} complaints`);
Deno.exit(complaints.length > 0 ? 1 : 0);

function refuse(why: string): never {
  print(why);
  Deno.exit(2);
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
