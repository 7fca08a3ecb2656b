import type { FaultCode } from "../../fault.ts";
import { securityHeaders } from "../headers.ts";
import { problemJson } from "../problem_json.ts";

interface Refusal {
  code: FaultCode;
  detail: string;
}

const notHttp: Refusal = { code: "bad_request", detail: "the request is not HTTP" };

const refusals: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { code: "request_timeout", detail: "the request took too long to arrive" },
  CONNECT: { code: "unknown_method", detail: "no path answers CONNECT" },
  HOST: {
    code: "bad_request",
    detail: "the Host header, or the address in the request line, is no host or host:port",
  },
  TARGET: { code: "bad_request", detail: "the address of the request is none" },
  EXPECT: { code: "bad_expectation", detail: "only 100-continue can be expected" },
  HPE_HEADER_OVERFLOW: { code: "header_too_large", detail: "the header is too large" },
};

/** The whole answer to what never became a request, by the code of the error, or its method; undefined where nobody speaks HTTP. */
export function refusalText(code: string): string | undefined {
  const refusal = refusals[code] ?? (code.startsWith("HPE_") ? notHttp : undefined);
  if (refusal === undefined) return undefined;
  const { body, headers, document } = written(refusal);
  const lines = Object.entries({
    ...headers,
    "content-length": String(body.length),
    "connection": "close",
  });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `HTTP/1.1 ${document.status} ${document.title}\r\n${head}\r\n${body}`;
}

/** The answer to a request that no door should see, by what is wrong with it. */
export function refusalAnswer(code: "HOST" | "TARGET" | "EXPECT"): Response {
  const refusal = refusals[code]!;
  const { body, headers, document } = written(refusal);
  return new Response(body, { status: document.status, headers });
}

/** What is answered to `OPTIONS *`, which asks of the server as a whole (RFC 9110, 9.3.7), beside 204. */
export const optionsHeaders: Readonly<Record<string, string>> = {
  ...securityHeaders,
  allow: "GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE",
};

function written({ code, detail }: Refusal) {
  const document = problemJson(code, { detail });
  return {
    document,
    body: JSON.stringify(document),
    headers: { ...securityHeaders, "content-type": "application/problem+json" },
  };
}
