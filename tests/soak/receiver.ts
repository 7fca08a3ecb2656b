/** Takes in notifications as a webhook would. */
export class Receiver {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #faults: string[] = [];
  count = 0;

  constructor() {
    this.#server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
      this.count++;
      const text = await request.text();
      if (!isNotice(text)) this.#faults.push(`a delivery was "${text.slice(0, 200)}"`);
      return new Response(null, { status: 204 });
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/`;
  }

  /** What was wrong with deliveries; that there were none is wrong, too. */
  complaints(): string[] {
    return this.count === 0 ? ["no notification was delivered"] : this.#faults.slice(0, 20);
  }

  async close(): Promise<void> {
    await this.#server.shutdown();
  }
}

function isNotice(text: string): boolean {
  try {
    const { schema_version, kind, title } = JSON.parse(text);
    return schema_version === 1 && typeof kind === "string" && typeof title === "string";
  } catch {
    return false;
  }
}
