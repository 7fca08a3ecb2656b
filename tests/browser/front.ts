/** A proxy before a daemon, which may change behind it. */
export interface Front {
  /** Where a daemon's page is. */
  url: string;
  /** Hands requests to a daemon at this address from now on; "": to none. */
  lead: (to: string) => void;
  close: () => Promise<void>;
}

/** Starts a proxy that has a daemon below a path, as nginx does with `location /svc/ { proxy_pass http://127.0.0.1:8420/; }`. */
export function startFront(below = ""): Front {
  let daemon = "";
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const { pathname, search } = new URL(request.url);
    if (!pathname.startsWith(`${below}/`)) return new Response("nothing of ours", { status: 404 });
    const { method, body } = request;
    const headers = new Headers(request.headers);
    // What comes compressed would be unpacked here.
    headers.set("accept-encoding", "identity");
    try {
      const to = daemon + pathname.slice(below.length) + search;
      const answer = await fetch(to, { method, headers, body, redirect: "manual" });
      return new Response(answer.body, { status: answer.status, headers: answer.headers });
    } catch {
      return new Response("no daemon", { status: 502 });
    }
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}${below}`,
    lead: (to) => daemon = to,
    close: () => server.shutdown(),
  };
}
