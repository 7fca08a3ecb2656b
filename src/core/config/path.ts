/** The folder that holds an absolute path. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf("/")));
}

/** An absolute, normalized path: `path` as it stands in a file of the folder `base`; `~` is `home` where that is known. */
export function resolvePath(path: string, { base, home }: { base: string; home?: string }): string {
  if (home !== undefined && (path === "~" || path.startsWith("~/"))) {
    return normalize(`${home}/${path.slice(1)}`);
  }
  return normalize(path.startsWith("/") ? path : `${base}/${path}`);
}

/** An absolute path without empty, `.` and `..` parts. */
function normalize(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
