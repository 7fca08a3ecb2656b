import type { ProbeResult } from "../../src/core/health_check.ts";
import type { Mail, Post } from "../../src/core/notify/outgoing.ts";
import type { Verdict } from "../../src/core/notify/verdict.ts";
import type { Net } from "../../src/io/net/net.ts";

/** A network of a test: what answers a probe is what the test last said of its address. */
export class FakeNet implements Net {
  /** Addresses that probes may go to. */
  allowed: readonly string[];
  /** All probes that were ever asked for, in order: an URL, or "host:port". */
  readonly asked: string[] = [];
  /** All that was ever to be delivered, in order. */
  readonly delivered: (Post | Mail)[] = [];
  /** What becomes of deliveries from now on. */
  verdict: (outgoing: Post | Mail) => Verdict | Promise<Verdict> = () => ({ is: "sent" });
  readonly #answers = new Map<string, ProbeResult | Promise<ProbeResult>>();

  constructor(allowed: readonly string[]) {
    this.allowed = allowed;
  }

  /** How probes of an URL or "host:port" end from now on; before it is said, nobody is there. */
  answer(target: string, result: ProbeResult | Promise<ProbeResult>): void {
    this.#answers.set(target, result);
  }

  allow(addresses: readonly string[]): void {
    this.allowed = addresses;
  }

  http(url: string): Promise<ProbeResult> {
    return this.#probe(url);
  }

  tcp(host: string, { port }: { port: number }): Promise<ProbeResult> {
    return this.#probe(`${host}:${port}`);
  }

  async deliver(outgoing: Post | Mail): Promise<Verdict> {
    this.delivered.push(outgoing);
    return await this.verdict(outgoing);
  }

  close(): void {}

  #probe(target: string): Promise<ProbeResult> {
    this.asked.push(target);
    return Promise.resolve(this.#answers.get(target) ?? { result: "failed", why: "nobody is there" });
  }
}
