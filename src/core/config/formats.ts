import { CronError, nicknames, parseCron } from "../cron/parse.ts";
import { isTimeZone } from "../cron/zone.ts";
import { cronPattern } from "./patterns.ts";
import { faultOfGlob } from "./glob.ts";
import { type Outcome, quoted, text, type Value, value, words } from "./values.ts";

/** A cron expression that can fire. */
export function cron(): Value<string> {
  return text({
    json: { pattern: cronPattern([...nicknames.keys()]) },
    check: (raw) => {
      try {
        parseCron(raw);
        return undefined;
      } catch (thrown) {
        if (thrown instanceof CronError) return thrown.message;
        throw thrown;
      }
    },
  });
}

/** A glob over names or paths. */
export function glob(): Value<string> {
  return text({
    check: (raw) => raw.trim() === "" ? "is empty: give it a value, or leave the key out" : faultOfGlob(raw),
  });
}

/** An IANA time zone. */
export function timeZone(): Value<string> {
  return text({
    check: (raw) =>
      isTimeZone(raw)
        ? undefined
        : `${quoted(raw)} is no time zone: write one such as "Europe/Berlin" or "UTC"`,
  });
}

/** An http or https address; never quoted in a message, since it may hold a token or a password. */
export function webAddress(): Value<string> {
  return text({
    secret: true,
    // No format: an editor would take offence at "${VAR}".
    json: { examples: ["https://example.com/"] },
    check: (raw) => {
      const address = URL.canParse(raw) ? new URL(raw) : undefined;
      if (address?.protocol === "http:" || address?.protocol === "https:") return undefined;
      return 'is no web address: write one that begins with "http://" or "https://"';
    },
  });
}

/** Octal permission bits such as "027". */
export function umask(): Value<string> {
  return text({
    json: { examples: ["027"] },
    check: (raw) =>
      /^0?[0-7]{1,3}$/.test(raw) ? undefined : `${quoted(raw)} is no umask: write octal digits, as in "027"`,
  });
}

/** "name" or "name:group", names or numbers. */
export function account(): Value<string> {
  return text({
    check: (raw) =>
      /^[^:\s/]+(:[^:\s/]+)?$/.test(raw)
        ? undefined
        : `${quoted(raw)} is no account: write "name" or "name:group", as in "www-data:adm"`,
  });
}

/** A signal by name, with or without SIG; read as "SIGTERM". */
export function signal(): Value<string> {
  return value({ type: "string", examples: ["SIGTERM", "SIGINT", "HUP"] }, (raw): Outcome<string> => {
    if (typeof raw !== "string") return { fault: 'expected the name of a signal, such as "SIGTERM"' };
    const name = raw.toUpperCase().replace(/^SIG/, "");
    if (signals.has(name)) return { value: `SIG${name}` };
    return {
      fault: `${quoted(raw)} is no signal of this system: write a name such as "SIGTERM" or "SIGINT"`,
    };
  });
}

const signals: ReadonlySet<string> = new Set(
  ("HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU " +
    "URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS").split(" "),
);

/** A network in CIDR notation, or one address. */
export function cidr(): Value<string> {
  return text({
    check: (raw) =>
      isNetwork(raw)
        ? undefined
        : `${quoted(raw)} is no network: write an address with a prefix, as in "10.0.0.0/8"`,
  });
}

/** "host:port", kept as text. */
export function hostPort(): Value<string> {
  return text({ check: (raw) => parseHostPort(raw) === undefined ? noHostPort(raw) : undefined });
}

/** "host:port", taken apart. */
export function endpoint(): Value<{ host: string; port: number }> {
  return value({ type: "string", examples: ["127.0.0.1:5432"] }, (raw) => {
    const parsed = typeof raw === "string" ? parseHostPort(raw) : undefined;
    if (parsed !== undefined) return { value: parsed };
    return {
      fault: typeof raw === "string" ? noHostPort(raw) : 'expected a string such as "127.0.0.1:5432"',
    };
  });
}

/** The parts of "host:port" or "[v6]:port" (port 1 to 65535); undefined when it is neither. */
export function parseHostPort(raw: string): { host: string; port: number } | undefined {
  const match = /^(?:\[([^\]]+)\]|([^\s:/@]+)):(\d{1,5})$/.exec(raw);
  if (match === null) return undefined;
  const [, v6, name, digits] = match;
  const port = Number(digits);
  if (port < 1 || port > 65535 || (v6 !== undefined && !isV6(v6))) return undefined;
  return { host: v6 ?? name ?? "", port };
}

/** A path to a file or folder. */
export function path(): Value<string> {
  return words();
}

function noHostPort(raw: string): string {
  return `${
    quoted(raw)
  } is no address: write host and port (1 to 65535), as in "127.0.0.1:9100" or "[::1]:9100"`;
}

function isNetwork(raw: string): boolean {
  const [address = "", prefix, more] = raw.split("/");
  if (more !== undefined || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) return false;
  if (isV4(address)) return Number(prefix ?? 32) <= 32;
  return isV6(address) && Number(prefix ?? 128) <= 128;
}

function isV4(address: string): boolean {
  const parts = address.split(".");
  return parts.length === 4 &&
    parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

function isV6(address: string): boolean {
  const halves = address.split("::");
  if (halves.length > 2) return false;
  let groups = 0;
  for (const [index, half] of halves.entries()) {
    const parts = half === "" ? [] : half.split(":");
    for (const [place, part] of parts.entries()) {
      const last = place === parts.length - 1 && index === halves.length - 1;
      if (last && part.includes(".") && isV4(part)) groups += 2;
      else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups += 1;
      else return false;
    }
  }
  return halves.length === 2 ? groups < 8 : groups === 8;
}
