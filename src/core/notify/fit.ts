/** How large a text is, in the measure of who limits it. */
export type Measure = (text: string) => number;

/** UTF-16 units, which are never fewer than characters. */
export const units: Measure = (text) => text.length;

const encoder = new TextEncoder();

/** Bytes of UTF-8. */
export const bytes: Measure = (text) => encoder.encode(text).length;

const ellipsis = "…";

/** Made when it is wanted: it costs megabytes. */
let characters: Intl.Segmenter | undefined;

/** The text, or as many whole characters of it as fit into `limit` with "…" behind them. */
export function cut(text: string, limit: number, { size = units }: { size?: Measure } = {}): string {
  if (size(text) <= limit) return text;
  let room = limit - size(ellipsis);
  if (room < 0) return "";
  let kept = 0;
  characters ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  // No measure counts less than units do, so what fits lies well before the end of this part.
  for (const { segment } of characters.segment(text.slice(0, 2 * limit + 64))) {
    room -= size(segment);
    if (room < 0) break;
    kept += segment.length;
  }
  return text.slice(0, kept).trimEnd() + ellipsis;
}

/** What `render` makes of the body, of which as much is left out as it takes to fit into `limit`. */
export function fit(
  body: string,
  { limit, render, size = units }: { limit: number; render: (body: string) => string; size?: Measure },
): string {
  const whole = render(body);
  if (size(whole) <= limit) return whole;
  // Escapes make some characters longer than others, so the length is searched for.
  let least = 0;
  let most = Math.min(size(body), limit);
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (size(render(cut(body, middle, { size }))) <= limit) least = middle;
    else most = middle - 1;
  }
  return cut(render(cut(body, least, { size })), limit, { size });
}
