import { Fault, messageOf } from "../../fault.ts";
import type { Context } from "./context.ts";
import { escapeGlob, faultOfGlob, hasWildcard, unescapeGlob } from "./glob.ts";
import type { LoadInput } from "./load_input.ts";
import { folderOf } from "./path.ts";
import { isTable, parseToml, type SourceFile, valueAt } from "./source.ts";
import { substituteTree } from "./substitute.ts";

/** The files of a configuration: the root first, then what its `include` matches; and the globs of that, absolute. */
export interface Files {
  files: SourceFile[];
  includeGlobs: string[];
}

/** Reads the root file and all that it includes, each substituted; what can't be read or parsed is reported. */
export function readFiles(context: Context): Files {
  const root = context.input.path;
  const rootFile = readFile(context, root);
  if (rootFile === undefined) return { files: [], includeGlobs: [] };
  const files = [rootFile];
  const includeGlobs: string[] = [];
  const seen = new Set([root]);
  for (const { glob, index, pattern } of includesOf(rootFile, context.input)) {
    includeGlobs.push(glob);
    const at = { context, root, index, pattern };
    for (const path of hasWildcard(glob) ? expand(glob, at) : literal(glob, at)) {
      if (seen.has(path)) continue;
      seen.add(path);
      const file = readFile(context, path);
      if (file !== undefined) files.push(file);
    }
  }
  const [, ...included] = files;
  for (const file of included) {
    if (valueAt(file.tree, ["daemon", "include"]) === undefined) continue;
    context.report.error(
      { file: file.path, path: ["daemon", "include"] },
      `"include" works in the root file only: move it to ${root}`,
    );
  }
  included.sort((a, b) => a.path < b.path ? -1 : 1);
  return { files: [rootFile, ...included], includeGlobs };
}

/** The globs that a root file includes, absolute, whose files take a search; none where it can't be read. */
export function globsToExpand(context: Context): string[] {
  const file = readFile(context, context.input.path);
  if (file === undefined) return [];
  return includesOf(file, context.input).map(({ glob }) => glob).filter(hasWildcard);
}

/** Why root takes no commands from a file. */
export function distrustWords(path: string, why: string): string {
  return `refusing "${path}" as root: ${why}; make it root's (chown root, chmod go-w), or run svc as its owner`;
}

interface Include {
  context: Context;
  root: string;
  index: number;
  pattern: string;
}

/** What `include` says, as far as it can be used; what can't is told by the reader of `[daemon]`. */
function includesOf(
  { path, tree }: SourceFile,
  { home }: LoadInput,
): { glob: string; index: number; pattern: string }[] {
  const patterns = valueAt(tree, ["daemon", "include"]);
  return (Array.isArray(patterns) ? patterns : []).flatMap((pattern: unknown, index) => {
    if (typeof pattern !== "string" || pattern.trim() === "" || faultOfGlob(pattern) !== undefined) return [];
    return [{ glob: absoluteGlob(pattern, { root: path, home }), index, pattern }];
  });
}

function absoluteGlob(pattern: string, { root, home }: { root: string; home: string | undefined }): string {
  let whole = pattern;
  if (home !== undefined && pattern.startsWith("~/")) whole = escapeGlob(home) + pattern.slice(1);
  else if (!pattern.startsWith("/")) whole = `${escapeGlob(folderOf(root))}/${pattern}`;
  // Dots are resolved here, since a glob is matched segment by segment.
  const parts: string[] = [];
  for (const part of whole.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

function expand(glob: string, { context, root, index, pattern }: Include): string[] {
  const { report, input } = context;
  const at = { file: root, path: ["daemon", "include", index] };
  const include = `include ${JSON.stringify(pattern)}`;
  const { files, unfinished } = input.glob(glob);
  if (unfinished !== undefined) report.error(at, `${include} ${unfinished}`);
  else if (files.length === 0) report.warning(at, `${include} matches no file`);
  if (files.includes(root)) {
    report.warning(at, `${include} matches the root file itself, which is left out: narrow the pattern`);
  }
  return files.filter((path) => path !== root);
}

function literal(glob: string, { context, root, index, pattern }: Include): string[] {
  const path = unescapeGlob(glob);
  const key = ["daemon", "include", index];
  if (path === root) {
    context.report.error(
      { file: root, path: key },
      `include ${JSON.stringify(pattern)} is the root file itself: remove it`,
    );
    return [];
  }
  try {
    context.readText(path);
    return [path];
  } catch (thrown) {
    context.report.error({ file: root, path: key }, messageOf(thrown));
    return [];
  }
}

function readFile(context: Context, path: string): SourceFile | undefined {
  const { report } = context;
  let text: string;
  try {
    const why = context.input.distrust?.(path);
    if (why !== undefined) throw new Fault("forbidden", distrustWords(path, why));
    text = context.readText(path);
  } catch (thrown) {
    report.broken(path, { message: messageOf(thrown) });
    return undefined;
  }
  const parsed = parseToml(text);
  if ("message" in parsed) {
    report.broken(path, parsed);
    return { path, text, tree: {} };
  }
  const lookup = {
    env: context.input.env,
    readText: (name: string): string => context.readText(context.resolve(name, path)),
  };
  const { secretVariables } = context;
  const tree = substituteTree(parsed.tree, { file: path, lookup, report, secretVariables });
  return { path, text, tree: isTable(tree) ? tree : {} };
}
