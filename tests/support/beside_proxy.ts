/** A proxy that only counts, a server, and a program that has the one in its environment and asks for the other. */
export async function besideProxy(
  child: URL,
  { env, args }: { env: Record<string, string>; args: (port: number) => string[] },
): Promise<{ proxied: string[]; served: string[]; said: unknown }> {
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
  // A program of its own, since test files share their environment.
  const variables = Object.entries(env).map(([name, value]): [string, string] => [
    name,
    value.replace("PROXY", `127.0.0.1:${proxy.addr.port}`),
  ]);
  try {
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-prompt", child.pathname, ...args(server.addr.port)],
      env: { DENO_NO_UPDATE_CHECK: "1", ...Object.fromEntries(variables) },
    }).output();
    const text = new TextDecoder().decode(stdout);
    if (text === "") throw new Error(new TextDecoder().decode(stderr));
    return { proxied, served, said: JSON.parse(text) };
  } finally {
    await Promise.all([proxy.shutdown(), server.shutdown()]);
  }
}
