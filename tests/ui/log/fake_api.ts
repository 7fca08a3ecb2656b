/** What a request is answered with: JSON, or an event stream that ends after these events. */
export type Answer =
  | { json: unknown; status?: number }
  | { events: ReadonlyArray<readonly [name: string, data: unknown]> };

/** Answers the requests of the page while `work` runs; what it was asked is in `asked`, with any Last-Event-ID. */
export async function withApi(
  answer: (path: string, lastId: string | null) => Answer,
  work: (asked: string[]) => Promise<void>,
): Promise<void> {
  const real = globalThis.fetch;
  const asked: string[] = [];
  globalThis.fetch = (input, init) => {
    const path = String(input);
    const lastId = new Headers(init?.headers).get("last-event-id");
    asked.push(lastId === null ? path : `${path} after ${lastId}`);
    if (init?.signal?.aborted) return Promise.reject(new DOMException("aborted", "AbortError"));
    const found = answer(path, lastId);
    if ("json" in found) return Promise.resolve(Response.json(found.json, { status: found.status ?? 200 }));
    const text = found.events.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
    return Promise.resolve(new Response(text.join("")));
  };
  try {
    await work(asked);
  } finally {
    globalThis.fetch = real;
  }
}
