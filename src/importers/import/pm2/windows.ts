/** A path of Windows, also where JSON has made line breaks and the like of its backslashes. */
export function isWindowsPath(path: string): boolean {
  // deno-lint-ignore no-control-regex
  return /^[A-Za-z]:(?:[\\/\x00-\x1f]|[^:]*[\x00-\x1f])|\\|[\x00-\x1f]/.test(path);
}
