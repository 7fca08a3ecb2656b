/** What fails for want of something that may be there again in a moment, or that a network file system lacks for now. */
const passing: ReadonlySet<string> = new Set([
  "EMFILE",
  "ENFILE",
  "ENOMEM",
  "EAGAIN",
  "EINTR",
  "EIO",
  "ESTALE",
  "ETIMEDOUT",
]);

/** Whether a failure says nothing of the file that was asked about, so that nothing may be concluded from it. */
export function isPassingFailure(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === "string" && passing.has(code);
}
