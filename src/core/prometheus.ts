/** Names of labels with their values. */
export type Labels = Readonly<Record<string, string>>;

/** One line of a metric: `suffix` follows the metric's name. */
export interface Sample {
  suffix?: "_bucket" | "_sum" | "_count";
  labels?: Labels;
  value: number;
}

/** A metric with all of its lines; it may have none. Names of counters end in "_total", units are base units. */
export interface Metric {
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram";
  samples: readonly Sample[];
}

/** A number that only grows, for each set of labels. */
export class Counter {
  readonly #values = new Map<string, { labels: Labels; value: number }>();

  /** Adds `by`, 0 or more; 0 makes a line that was not there before. Throws `RangeError` for less. */
  add(labels: Labels, by = 1): void {
    if (!(by >= 0)) throw new RangeError(`a counter only grows, not by ${by}`);
    valueAt(this.#values, labels, () => ({ labels, value: 0 })).value += by;
  }

  /** In the order of their first mention. */
  samples(): Sample[] {
    return [...this.#values.values()].map(({ labels, value }) => ({ labels, value }));
  }
}

interface Distribution {
  labels: Labels;
  /** How many values are at most the bound and above the one before; the last is for those above all bounds. */
  counts: number[];
  sum: number;
}

/** How values are spread over buckets, for each set of labels. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #distributions = new Map<string, Distribution>();

  /** `bounds` are the upper ends of the buckets, ascending and finite; each belongs to its bucket. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
  }

  /** Shows a set of labels, with nothing observed yet unless there was. */
  mention(labels: Labels = {}): void {
    this.#at(labels);
  }

  observe(value: number, labels: Labels = {}): void {
    const distribution = this.#at(labels);
    const bucket = this.#bounds.findIndex((bound) => value <= bound);
    distribution.counts[bucket < 0 ? this.#bounds.length : bucket]! += 1;
    distribution.sum += value;
  }

  /** Buckets count all values up to their bound, as the format wants it. */
  samples(): Sample[] {
    return [...this.#distributions.values()].flatMap(({ labels, counts, sum }) => {
      const samples: Sample[] = [];
      let count = 0;
      for (const [bucket, own] of counts.entries()) {
        count += own;
        const le = formatValue(this.#bounds[bucket] ?? Infinity);
        samples.push({ suffix: "_bucket", labels: { ...labels, le }, value: count });
      }
      return [...samples, { suffix: "_sum", labels, value: sum }, { suffix: "_count", labels, value: count }];
    });
  }

  #at(labels: Labels): Distribution {
    return valueAt(this.#distributions, labels, () => ({
      labels,
      counts: Array.from({ length: this.#bounds.length + 1 }, () => 0),
      sum: 0,
    }));
  }
}

/** Media type of the text. */
export const expositionType = "text/plain; version=0.0.4; charset=utf-8";

/** The metrics in the text format that Prometheus reads, version 0.0.4. */
export function exposition(metrics: readonly Metric[]): string {
  return metrics.map(({ name, help, type, samples }) =>
    [
      `# HELP ${name} ${escapeHelp(help)}\n`,
      `# TYPE ${name} ${type}\n`,
      ...samples.map(({ suffix = "", labels = {}, value }) =>
        `${name}${suffix}${formatLabels(labels)} ${formatValue(value)}\n`
      ),
    ].join("")
  ).join("");
}

function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function formatValue(value: number): string {
  if (value === Infinity) return "+Inf";
  return value === -Infinity ? "-Inf" : String(value);
}

function escapeHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}

function valueAt<T>(map: Map<string, T>, labels: Labels, create: () => T): T {
  // The order in which labels are written makes no other line.
  const key = JSON.stringify(Object.entries(labels).sort(([a], [b]) => a < b ? -1 : 1));
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = create();
  map.set(key, made);
  return made;
}
