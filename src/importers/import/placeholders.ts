/** Whether a text holds what a generator was to replace: `@NAME@`, `{{ name }}`, `<NAME>`, `__NAME__`. */
export function hasPlaceholder(text: string): boolean {
  return /@[A-Z][A-Z0-9_]*@|\{\{-?\s*(?!end\b|else\b)[A-Za-z_][\w.]*\s*-?\}\}|<[A-Z][A-Z0-9_ -]*>|\b__[A-Z][A-Z0-9_]*__\b/
    .test(text) || /<(?:your|my|user|path|the)[a-z]*(?:[ _-][a-z]+)*>/i.test(text);
}
