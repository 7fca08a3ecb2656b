/** Paths of 16 by 16, drawn as lines. */
const paths = {
  overview: "M2 8.5 8 3l6 5.5M4 7.5V13h8V7.5",
  units: "M2.5 3.5h11v3h-11zM2.5 9.5h11v3h-11z",
  runs: "M2.5 4h1M6 4h7.5M2.5 8h1M6 8h7.5M2.5 12h1M6 12h7.5",
  timeline: "M2 4h6M6 8h8M3 12h5",
  bell: "M4 11V7a4 4 0 0 1 8 0v4l1.2 1.5H2.8zM6.8 14h2.4",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.7 10.7 14 14",
  system: "M3 3h10v7H3zM6 13h4M8 10v3",
  sun:
    "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",
  moon: "M13 9.5A5.5 5.5 0 1 1 6.5 3a4.5 4.5 0 0 0 6.5 6.5z",
  halfmoon: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 1 0 0-11zM8 2.5v11M10.5 3.5v9M12.5 5v6",
  play: "M5 3.5v9l7-4.5z",
  stop: "M4.5 4.5h7v7h-7z",
  again: "M12.5 8a4.5 4.5 0 1 1-1.3-3.2M11.5 2.5v2.5H9",
  pause: "M5.5 4v8M10.5 4v8",
  log: "M3 3.5h10M3 6.5h7M3 9.5h10M3 12.5h5",
  bin: "M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5l.5 8.5h6l.5-8.5",
  more: "M4 8h.01M8 8h.01M12 8h.01",
} as const;

export type IconName = keyof typeof paths;

/** A small picture beside or in place of a word; the word is said elsewhere. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="i" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
