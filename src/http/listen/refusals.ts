import { securityHeaders } from "../headers.ts";
import type { ProblemJson } from "../schemas/problem.ts";

interface Refusal {
  status: number;
  title: string;
  detail: string;
}

const badRequest: Refusal = { status: 400, title: "Bad Request", detail: "the request is not HTTP" };

const refusals: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    title: "Request Timeout",
    detail: "the request took too long to arrive",
  },
  CONNECT: {
    status: 501,
    title: "Not Implemented",
    detail: "no path answers CONNECT",
  },
  HOST: {
    status: 400,
    title: "Bad Request",
    detail: "the Host header, or the address in the request line, is no host or host:port",
  },
  TARGET: {
    status: 400,
    title: "Bad Request",
    detail: "the address of the request is none",
  },
  EXPECT: {
    status: 417,
    title: "Expectation Failed",
    detail: "only 100-continue can be expected",
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    title: "Request Header Fields Too Large",
    detail: "the header is too large",
  },
};

/** The whole answer to what never became a request, by the code of the error, or its method; undefined where nobody speaks HTTP. */
export function refusalText(code: string): string | undefined {
  const refusal = refusals[code] ?? (code.startsWith("HPE_") ? badRequest : undefined);
  if (refusal === undefined) return undefined;
  const { body, headers } = written(refusal);
  const lines = Object.entries({
    ...headers,
    "content-length": String(body.length),
    "connection": "close",
  });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `HTTP/1.1 ${refusal.status} ${refusal.title}\r\n${head}\r\n${body}`;
}

/** The answer to a request that no door should see, by what is wrong with it. */
export function refusalAnswer(code: "HOST" | "TARGET" | "EXPECT"): Response {
  const refusal = refusals[code]!;
  const { body, headers } = written(refusal);
  return new Response(body, { status: refusal.status, headers });
}

/** What is answered to `OPTIONS *`, which asks of the server as a whole (RFC 9110, 9.3.7), beside 204. */
export const optionsHeaders: Readonly<Record<string, string>> = {
  ...securityHeaders,
  allow: "GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE",
};

function written({ title, status, detail }: Refusal): { body: string; headers: Record<string, string> } {
  const document: ProblemJson = { type: "about:blank", title, status, detail };
  return {
    body: JSON.stringify(document),
    headers: { ...securityHeaders, "content-type": "application/problem+json" },
  };
}
