/** The milliseconds of a time span such as "1min 30s"; a bare number is seconds; Infinity for "infinity". */
export function parseTimeSpan(text: string): number | undefined {
  if (text.trim() === "infinity") return Infinity;
  let total = 0;
  let rest = text.trim();
  if (rest === "") return undefined;
  while (rest !== "") {
    const match = /^(\d+(?:\.\d+)?)\s*([A-Za-zµμ]*)\s*/.exec(rest);
    const factor = factors.get(match?.[2] ?? "?");
    if (match === null || factor === undefined) return undefined;
    total += Number(match[1]) * factor;
    rest = rest.slice(match[0].length);
  }
  return Math.round(total * 1e6) / 1e6;
}

const second = 1000;
const day = 86_400_000;

const factors: ReadonlyMap<string, number> = new Map(
  ([
    ["us usec µs μs", 0.001],
    ["ms msec", 1],
    ["s sec second seconds", second],
    ["m min minute minutes", 60 * second],
    ["h hr hour hours", 3600 * second],
    ["d day days", day],
    ["w week weeks", 7 * day],
    ["M month months", 30.44 * day],
    ["y year years", 365.25 * day],
  ] as const).flatMap(([names, factor]) => names.split(" ").map((name) => [name, factor] as const))
    .concat([["", second]]),
);
