import type { Key } from "ink";

/** What was typed, as the names that `press` knows; pasted text comes as its characters. */
export function keyNames(input: string, key: Partial<Key>): string[] {
  if (key.upArrow) return ["up"];
  if (key.downArrow) return ["down"];
  if (key.leftArrow) return ["left"];
  if (key.rightArrow) return ["right"];
  if (key.pageUp) return ["pageup"];
  if (key.pageDown) return ["pagedown"];
  if (key.home) return ["home"];
  if (key.end) return ["end"];
  if (key.return) return ["enter"];
  if (key.escape) return ["esc"];
  if (key.tab) return [key.shift ? "shift-tab" : "tab"];
  // Terminals differ in which of the two the key above Enter sends.
  if (key.backspace || key.delete) return ["backspace"];
  if (key.ctrl) return [`ctrl-${input}`];
  if (key.meta) return [];
  return [...input].flatMap((char) => {
    if (char === " ") return ["space"];
    if (char === "\r" || char === "\n") return ["enter"];
    // Keys that are pressed fast, or sent over a slow line, arrive together.
    if (char === "\t") return ["tab"];
    if (char === "\x7f" || char === "\b") return ["backspace"];
    if (char >= " ") return [char];
    return char >= "\x01" && char <= "\x1a" ? [`ctrl-${String.fromCharCode(char.charCodeAt(0) + 96)}`] : [];
  });
}
