import type { AnsiColor, Span } from "./ansi.ts";

type Rgb = readonly [number, number, number];

/** What the text of a log stands on, `--raised` of the page. */
export const grounds = { light: [255, 255, 255], dark: [24, 28, 31] } as const;
/** The contrast that every text keeps. */
const least = 4.5;

/** How a piece of a line is drawn: classes of `log.css`, and colours that no class has. */
export function spanStyle(span: Span): { class?: string; style?: Record<string, string> } {
  const [fg, bg] = span.isInverse ? [span.bg, span.fg] : [span.fg, span.bg];
  const classes: string[] = [];
  const style: Record<string, string> = {};
  if (span.isInverse && bg === undefined) classes.push("log-inverse");
  else if (bg !== undefined) paintGround(bg, { classes, style });
  else if (typeof fg === "number") classes.push(`log-fg${fg}`);
  else if (fg !== undefined) style.color = readable(fg);
  else if (span.isDim) classes.push("log-dim");
  if (span.isBold) classes.push("log-bold");
  if (span.isItalic) classes.push("log-italic");
  if (span.isUnderlined) classes.push("log-underlined");
  if (span.isStruck) classes.push("log-struck");
  if (span.isHit) classes.push("log-mark");
  return {
    ...(classes.length === 0 ? {} : { class: classes.join(" ") }),
    ...(Object.keys(style).length === 0 ? {} : { style }),
  };
}

/**
 * A ground of its own takes the text colour that can be read on it, whatever the program asked for: palettes differ,
 * and what is readable in one is not in another.
 */
function paintGround(
  bg: AnsiColor,
  { classes, style }: { classes: string[]; style: Record<string, string> },
): void {
  if (typeof bg === "number") {
    classes.push(`log-bg${bg}`);
    return;
  }
  style.backgroundColor = css(bg);
  style.color = contrast(bg, [255, 255, 255]) >= contrast(bg, [0, 0, 0]) ? "#fff" : "#000";
}

/** A colour that can be read on the ground of either theme, as near to the wanted one as may be. */
function readable(color: Rgb): string {
  return `light-dark(${css(towards(color, { goal: [0, 0, 0], ground: grounds.light }))}, ${
    css(towards(color, { goal: [255, 255, 255], ground: grounds.dark }))
  })`;
}

function towards(color: Rgb, { goal, ground }: { goal: Rgb; ground: Rgb }): Rgb {
  let mixed = color;
  for (let share = 0.1; contrast(mixed, ground) < least && share <= 1; share += 0.1) {
    const mix = (at: 0 | 1 | 2): number => Math.round(color[at] + (goal[at] - color[at]) * share);
    mixed = [mix(0), mix(1), mix(2)];
  }
  return mixed;
}

/** The contrast of two colours as WCAG has it, 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [one, two] = [luminance(a), luminance(b)];
  return (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
}

function luminance([r, g, b]: Rgb): number {
  const linear = (part: number): number =>
    part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

function css([r, g, b]: Rgb): string {
  return `rgb(${r} ${g} ${b})`;
}
