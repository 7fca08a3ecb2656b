import v8 from "node:v8";
import vm from "node:vm";

/** So much garbage may lie around, bytes. */
const mostGarbage = 3_000_000;
/** Between two looks, ms. */
const betweenLooks = 1000;

/**
 * Keeps this program's memory small while it is looked at: left alone, the heap of a program that draws all day
 * grows to several times of what it holds. A collection takes some 15 ms. Answers how to stop that.
 */
export function keepHeapSmall(): () => void {
  // Drawing is fast enough without code that costs much memory to make.
  for (const flag of ["--optimize-for-size", "--no-opt", "--expose-gc"]) v8.setFlagsFromString(flag);
  const collect: unknown = vm.runInNewContext("gc");
  if (typeof collect !== "function") return () => {};
  let floor = Infinity;
  const timer = setInterval(() => {
    const { heapTotal } = Deno.memoryUsage();
    if (heapTotal > floor + mostGarbage || floor === Infinity) {
      collect();
      floor = Deno.memoryUsage().heapTotal;
    }
  }, betweenLooks);
  return () => clearInterval(timer);
}
