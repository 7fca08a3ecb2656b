import type { ServiceScope } from "../../core/service_file.ts";
import { Fault } from "../../fault.ts";
import { ownVariable } from "../../io/own_variable.ts";
import { ownUid } from "../../io/trust.ts";

/** Which service is meant. */
export interface ServiceOptions {
  scope: ServiceScope;
  /** What it is called: the unit is `NAME.service`. */
  name: string;
  /** The address of the program. */
  entry: string;
}

/** Where the file of a service is. Throws `Fault` for a name that no unit can have. */
export function filePath({ scope, name }: ServiceOptions): string {
  if (!/^[A-Za-z0-9][\w@.:-]*$/.test(name)) {
    throw new Fault("invalid", `cannot call a service "${name}": use letters, digits and _ @ . : -`);
  }
  const home = ownVariable("HOME") ?? "";
  if (isMac()) {
    return scope === "system"
      ? `/Library/LaunchDaemons/${name}.plist`
      : `${home}/Library/LaunchAgents/${name}.plist`;
  }
  if (scope === "system") return `/etc/systemd/system/${name}.service`;
  return `${ownVariable("XDG_CONFIG_HOME") || `${home}/.config`}/systemd/user/${name}.service`;
}

export function systemctlOf({ scope }: Pick<ServiceOptions, "scope">): string[] {
  return scope === "system" ? ["systemctl"] : ["systemctl", "--user"];
}

export function launchdDomain({ scope }: ServiceOptions): string {
  return scope === "system" ? "system" : `gui/${ownUid()}`;
}

export function isMac(): boolean {
  return Deno.build.os === "darwin";
}
