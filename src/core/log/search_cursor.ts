/** Where a search goes on: a run, by creation (Unix ms) and id, and a line of its log. */
export interface SearchCursor {
  createdAt: number;
  runId: string;
  line: number;
}

/** A cursor as the text that clients hand back. */
export function formatCursor({ createdAt, runId, line }: SearchCursor): string {
  return `${createdAt.toString(36)}.${runId}.${line.toString(36)}`;
}

/** Reads a cursor; undefined for what can't be one. */
export function parseCursor(text: string): SearchCursor | undefined {
  const match = /^([0-9a-z]{1,10})\.([a-zA-Z0-9_-]{1,64})\.([0-9a-z]{1,10})$/.exec(text);
  if (match === null) return undefined;
  return { createdAt: parseInt(match[1]!, 36), runId: match[2]!, line: parseInt(match[3]!, 36) };
}
