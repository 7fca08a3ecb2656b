/** Hears of errors that nobody catches; those of a daemon that is dead are nobody's business. The result stops listening. */
export function listenForEscapes(escaped: (error: unknown) => void): () => void {
  const take = (event: Event, error: unknown): void => {
    event.preventDefault();
    if (!(error instanceof Error && error.constructor.name === "Crash")) escaped(error);
  };
  const onRejection = (event: PromiseRejectionEvent): void => take(event, event.reason);
  const onError = (event: ErrorEvent): void => take(event, event.error);
  globalThis.addEventListener("unhandledrejection", onRejection);
  globalThis.addEventListener("error", onError);
  return () => {
    globalThis.removeEventListener("unhandledrejection", onRejection);
    globalThis.removeEventListener("error", onError);
  };
}
