import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { Config, HookAction } from "../../types.ts";
import { equalBytes } from "./equal_bytes.ts";

interface KnownToken {
  digest: Uint8Array;
  allow: readonly HookAction[];
}

/** What stands in for the tokens of a unit that has none, or is none: no text is known to have this digest. */
const nobody: readonly KnownToken[] = [{ digest: crypto.getRandomValues(new Uint8Array(32)), allow: [] }];

/** The hook tokens of the configuration in force. Neither answers nor their time tell which units there are. */
export class HookTokens {
  readonly #config: () => Config;
  #of: Config | undefined;
  #byUnit = new Map<string, KnownToken[]>();

  /** `config` gives the configuration in force: a reload puts other tokens into force at once. */
  constructor(config: () => Config) {
    this.#config = config;
  }

  /** What a token may do to a unit; undefined for a wrong or missing token and for a unit without tokens. */
  allowed(unit: string, token: string | undefined): ReadonlySet<HookAction> | undefined {
    const given = digestOf(token ?? "");
    let found: KnownToken | undefined;
    // All are compared, whichever fits.
    for (const known of this.#tokens().get(unit) ?? nobody) {
      if (equalBytes(known.digest, given)) found = known;
    }
    return found === undefined ? undefined : new Set(found.allow);
  }

  #tokens(): ReadonlyMap<string, readonly KnownToken[]> {
    const config = this.#config();
    if (config !== this.#of) {
      this.#of = config;
      this.#byUnit = new Map(
        config.units.filter(({ hookTokens }) => hookTokens.length > 0).map(({ name, hookTokens }) => [
          name,
          hookTokens.map(({ token, allow }) => ({ digest: digestOf(token), allow })),
        ]),
      );
    }
    return this.#byUnit;
  }
}

/** Texts of any length become comparable in constant time. */
function digestOf(text: string): Uint8Array {
  return sha256(utf8ToBytes(text));
}
