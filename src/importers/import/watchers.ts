/** A note for a command that watches its sources, and may take an empty standard input for a sign to end. */
export function watcherNote(command: string): string | undefined {
  const text = command.slice(0, 4000);
  const watches = /(?:^|[\s"'])(?:--watch(?!=(?:always|forever)|[\w-])|[\w.:-]*:watch\b)/.test(text) ||
    /\btailwind(?:css)?\b[^;&|\n]*\s-w\b/.test(text);
  if (!watches) return undefined;
  return "its standard input is empty here (/dev/null): watchers such as esbuild and tailwindcss end at once then, and are " +
    'started again and again; "--watch=forever" (esbuild), "--watch=always" (tailwindcss), or "tail -f /dev/null |" in front keeps them';
}
