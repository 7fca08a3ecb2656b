import type { ProbeResult } from "../../src/core/health_check.ts";
import type { NetProbes } from "../../src/io/net/probes.ts";

/** A network of a test: what answers a probe is what the test last said of its address. */
export class FakeNet implements NetProbes {
  /** Addresses that probes may go to. */
  allowed: readonly string[];
  /** All probes that were ever asked for, in order: an URL, or "host:port". */
  readonly asked: string[] = [];
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

  close(): void {}

  #probe(target: string): Promise<ProbeResult> {
    this.asked.push(target);
    return Promise.resolve(this.#answers.get(target) ?? { result: "failed", why: "nobody is there" });
  }
}
