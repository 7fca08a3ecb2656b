import { readSignal } from "../../../core/signals.ts";
import type { IniSection, IniValue } from "./ini.ts";

/** A value that supervisord would not take either. */
export class ValueFault extends Error {
  override readonly name = "ValueFault";
}

/** The values of a section as supervisord reads them; a wrong one is thrown as `ValueFault`. */
export class Values {
  constructor(readonly section: IniSection) {}

  /** The value of a key with its place; undefined when it is absent. */
  at(key: string): IniValue | undefined {
    return this.section.keys.get(key);
  }

  /** A number of at least `min`. */
  whole(key: string, { fallback, min = 0 }: { fallback: number; min?: number }): number {
    const text = this.at(key)?.text;
    if (text === undefined) return fallback;
    if (/^[+-]?\d{1,15}$/.test(text) && Number(text) >= min) return Number(text);
    throw this.fault(key, "a whole number is due, without a unit");
  }

  /** One of yes, true, on, 1 and no, false, off, 0. */
  flag(key: string, fallback: boolean): boolean {
    const text = this.at(key)?.text;
    if (text === undefined) return fallback;
    const value = readFlag(text);
    if (value === undefined) throw this.fault(key, '"true" or "false" is due');
    return value;
  }

  /** Whether it is started again: always, on_failure or never. */
  restart(): "always" | "on_failure" | "never" {
    const text = this.at("autorestart")?.text;
    if (text === undefined || text.toLowerCase() === "unexpected") return "on_failure";
    const value = readFlag(text);
    if (value === undefined) throw this.fault("autorestart", '"true", "false" or "unexpected" is due');
    return value ? "always" : "never";
  }

  /** The exit codes that are expected. */
  exitCodes(): number[] {
    const text = this.at("exitcodes")?.text;
    if (text === undefined) return [0];
    const codes = text.split(",").map((code) => code.trim()).filter((code) => code !== "");
    if (codes.every((code) => /^\d{1,3}$/.test(code) && Number(code) <= 255)) {
      return [...new Set(codes.map(Number))];
    }
    throw this.fault("exitcodes", "numbers from 0 to 255 with commas between them are due");
  }

  /** The signal that stops it, as "SIGTERM". */
  signal(): string {
    const found = readSignal(this.at("stopsignal")?.text ?? "TERM");
    if ("name" in found) return found.name;
    throw this.fault("stopsignal", found.fault);
  }

  /** Permission bits in octal. */
  umask(): string | undefined {
    const text = this.at("umask")?.text;
    if (text === undefined) return undefined;
    if (/^0*[0-7]{1,3}$/.test(text)) return text.replace(/^0+(?=\d{3})/, "").padStart(3, "0");
    throw this.fault("umask", 'octal digits such as "022" are due');
  }

  /** What is wrong with a key, with its value and its line. */
  fault(key: string, why: string): ValueFault {
    const { text, line } = this.at(key) ?? { text: "", line: this.section.line };
    return new ValueFault(`${key}=${text} (line ${line}): ${why}`);
  }
}

/** The truth that a text stands for; undefined when it is none. */
export function readFlag(text: string): boolean | undefined {
  if (/^(?:yes|true|on|1)$/i.test(text)) return true;
  return /^(?:no|false|off|0)$/i.test(text) ? false : undefined;
}
