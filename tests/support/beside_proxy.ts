import { proxyVariables } from "../../src/core/proxy_rules.ts";

/** Does the work where the environment names a proxy that only counts, beside a server; gives back what each was asked. */
export async function besideProxy(
  env: Record<string, string>,
  work: (server: { port: number; proxy: number }) => Promise<void>,
): Promise<{ proxied: string[]; served: string[] }> {
  const proxied: string[] = [];
  const served: string[] = [];
  const options = { hostname: "127.0.0.1", port: 0, onListen() {} };
  const proxy = Deno.serve(options, (request) => {
    proxied.push(`${request.method} ${request.url}`);
    return new Response(null, { status: 204 });
  });
  const server = Deno.serve(options, async (request) => {
    const { pathname, search } = new URL(request.url);
    served.push(`${request.method} ${pathname}${search} ${await request.text()}`);
    const status = Number(pathname.slice(1)) || 200;
    return new Response(status === 204 ? null : "why", { status, headers: { "retry-after": "7" } });
  });
  const before = new Map([...proxyVariables, "NO_PROXY"].map((name) => [name, Deno.env.get(name)]));
  for (const name of before.keys()) Deno.env.delete(name);
  for (const [name, value] of Object.entries(env)) {
    Deno.env.set(name, value.replace("PROXY", `127.0.0.1:${proxy.addr.port}`));
  }
  try {
    await work({ port: server.addr.port, proxy: proxy.addr.port });
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) Deno.env.delete(name);
      else Deno.env.set(name, value);
    }
    await Promise.all([proxy.shutdown(), server.shutdown()]);
  }
  return { proxied, served };
}
