/** A line of a source for people: its blanks as single ones, and cut where it is long. */
export function shortLine(line: string): string {
  const plain = line.trim().replaceAll(/[ \t\r\n]+/g, " ");
  return plain.length > 70 ? `${plain.slice(0, 67)}...` : plain;
}
