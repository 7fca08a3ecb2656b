/** Which files import each other in a circle: nobody reads such files, or moves them, one at a time. */

/** The files that a file imports, by their relative paths; for types too. */
export function importsOf(text: string): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  const forms = /(?:^|[\s;])(?:import|export)\s(?:[^"'`;]*?\sfrom\s)?"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/g;
  return [...code.matchAll(forms)].map(([, named, dynamic]) => (named ?? dynamic)!);
}

/** The circles of a graph, each as the files in it, sorted (Tarjan's strongly connected components). */
export function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    path.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) visit(next);
      if (path.includes(next)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(next)!));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const circle = path.splice(path.indexOf(file));
    if (circle.length > 1 || graph.get(file)?.includes(file)) circles.push(circle.sort());
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles;
}
