import { securityHeaders } from "../headers.ts";
import type { ProblemJson } from "../schemas/problem.ts";

type Refusal = Required<Pick<ProblemJson, "status" | "title" | "detail">>;

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
  const { title, status, detail } = refusal;
  const document: ProblemJson = { type: "about:blank", title, status, detail };
  const body = JSON.stringify(document);
  const headers = {
    ...securityHeaders,
    "content-type": "application/problem+json",
    "content-length": String(body.length),
    "connection": "close",
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `HTTP/1.1 ${status} ${title}\r\n${head}\r\n${body}`;
}
