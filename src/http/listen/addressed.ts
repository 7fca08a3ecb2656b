import { isHost } from "../../core/host.ts";
import { optionsHeaders, refusalAnswer } from "./refusals.ts";

/**
 * A request as a door may have it, or the answer to one that no door should see. Runtimes paste the Host header into
 * the address before the path: only one that is no more than a host leaves the path and the query as the request line
 * has them.
 */
export function addressed(request: Request): Request | Response {
  const { headers, method, url } = request;
  const host = headers.get("host") ?? "";
  if (host !== "" && !isHost(host)) return refusalAnswer("HOST");
  const expected = headers.get("expect");
  if (expected !== null && expected.toLowerCase() !== "100-continue") return refusalAnswer("EXPECT");
  // It has no path, and is refused by who looks at methods.
  if (method === "CONNECT") return request;
  // `*` comes as a path.
  if (method === "OPTIONS" && /^[^/]+:\/\/[^/]*\/\*$/.test(url)) {
    return new Response(null, { status: 204, headers: optionsHeaders });
  }
  const begin = url.indexOf("://") + 3;
  const end = begin + host.length;
  if (host !== "" && url.startsWith(host, begin) && url[end] === "/") return request;
  // It is named in the request line, by HTTP/2, or not at all.
  const authority = /^[^/?#]*/.exec(url.slice(begin))![0];
  // A control socket that is not named stands for itself, under a name that is no host.
  const isItself = host === "" && url.startsWith("http+unix:") && URL.canParse(url);
  return isHost(authority) || isItself ? request : refusalAnswer("HOST");
}
