/// <reference lib="dom" />
import { signal } from "@preact/signals";
import type { ProblemJson } from "../../src/http/schemas/problem.ts";
import { outside } from "./base.ts";
import type { Answer, AnyPath, MethodOf, PathOf, Said, Sent } from "./routes.ts";

/** Whether the page may ask: nothing is known before the first answer, `out` where a login is needed. */
export const session = signal<"unknown" | "in" | "out">("unknown");

/** What the daemon refused, in its own words, or that it did not answer. */
export class ApiError extends Error {
  override name = "ApiError";
  /** The HTTP status; 0 where there was no answer. */
  readonly status: number;
  /** The faults of single values, by their place: `body.params.size`. */
  readonly errors: ReadonlyArray<{ location?: string | undefined; message?: string | undefined }>;
  /** When a refusal says so: seconds until it is worth trying again, and how many tries are left. */
  readonly retryAfter: number | undefined;
  readonly remaining: number | undefined;

  constructor(
    status: number,
    message: string,
    rest: Partial<Pick<ApiError, "errors" | "retryAfter" | "remaining">> = {},
  ) {
    super(message);
    this.status = status;
    this.errors = rest.errors ?? [];
    this.retryAfter = rest.retryAfter;
    this.remaining = rest.remaining;
  }
}

/** Values of a path or of what is put behind it. */
type Values = Readonly<Record<string, string | number | boolean | undefined>>;

/** A path with its parameters (`:taskName`) filled in and the rest behind it; what is undefined or "" is left out. */
export function withQuery(path: string, values: Values = {}): string {
  const rest = { ...values };
  const filled = path.replace(/:(\w+)/g, (_, name) => {
    const value = rest[name]!;
    delete rest[name];
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const name in rest) if ((rest[name] ?? "") !== "") query.set(name, String(rest[name]));
  const text = `${query}`;
  return text === "" ? filled : `${filled}?${text}`;
}

/** The path of a route, for who asks by other means than `get` and `send`. */
export const pathTo = withQuery as <P extends AnyPath>(path: P, ...said: Said<MethodOf<P>, P>) => string;

/** Reads JSON. Throws `ApiError`. */
export const get =
  ((path: string, values?: Values, signal: AbortSignal | null = null) =>
    ask(withQuery(path, values), { signal })) as <P extends PathOf<"GET">>(
      path: P,
      ...said: [...Said<"GET", P>, signal?: AbortSignal]
    ) => Promise<Answer<"GET", P>>;

/** Has something done, with JSON; answers JSON, or undefined for an answer without a body. Throws `ApiError`. */
export const send = ((path: string, values?: Values, body?: unknown) =>
  ask(withQuery(path, values), {
    method: "POST",
    ...(body === undefined
      ? {}
      : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  })) as <P extends PathOf<"POST">>(path: P, ...said: Sent<P>) => Promise<Answer<"POST", P>>;

async function ask<T>(path: string, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(outside(path), init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(0, "The daemon does not answer. The page tries again by itself.");
  }
  if (response.status === 401 && !path.startsWith("/api/auth/")) session.value = "out";
  if (!response.ok) throw await refusal(response);
  return response.status === 204 ? undefined as T : await response.json();
}

async function refusal(response: Response): Promise<ApiError> {
  const problem: ProblemJson | undefined = await response.json().catch(() => undefined);
  const message = problem?.detail ?? `The daemon answered ${response.status}.`;
  const number = (name: string): number | undefined => {
    const text = response.headers.get(name);
    return text === null || Number.isNaN(Number(text)) ? undefined : Number(text);
  };
  return new ApiError(response.status, message, {
    errors: problem?.errors ?? [],
    retryAfter: number("retry-after"),
    remaining: number("ratelimit-remaining"),
  });
}

/** The words of anything that was thrown. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
