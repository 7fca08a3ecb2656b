/// <reference lib="dom" />
import { signal } from "@preact/signals";
import type { ProblemJson } from "../../src/http/schemas/problem.ts";
import { outside } from "./base.ts";

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

/** A query; what is undefined or "" is left out. */
export type Query = Record<string, string | number | boolean | undefined>;

/** A path of the API with a query. */
export function pathOf(path: string, query: Query = {}): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return text === "" ? path : `${path}?${text}`;
}

/** Reads JSON. Throws `ApiError`. */
export function get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
  return ask<T>(pathOf(path, query), signal === undefined ? {} : { signal });
}

/** Sends JSON; answers JSON, or undefined for an answer without a body. Throws `ApiError`. */
export function send<T = void>(
  method: "POST" | "DELETE",
  path: string,
  body?: unknown,
): Promise<T> {
  return ask<T>(path, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
}

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
