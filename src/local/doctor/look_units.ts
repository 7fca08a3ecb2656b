import type { UnitTrouble } from "../../core/doctor/units.ts";
import { Fault, messageOf } from "../../fault.ts";
import { type Account, accountOf, ownAccount } from "../../io/process/accounts.ts";
import { checkFolder, findShell } from "../../io/process/launch_checks.ts";
import { userChange } from "../../io/programs.ts";
import type { Unit } from "../../types.ts";
import { ownVariable } from "../../io/own_variable.ts";

/** Looks for what units name, as a start would; `daemonUid` is the user that the daemon runs as. */
export function lookAtUnits(units: readonly Unit[], daemonUid: number): UnitTrouble[] {
  // Hundreds of units name few things.
  const known = new Map<string, Fault | undefined>();
  const accounts = new Map<string, Account>();
  return units.flatMap((unit) => {
    const troubles: UnitTrouble[] = [];
    const look = (key: UnitTrouble["key"], value: string, check: () => void): boolean => {
      const name = `${key} ${value}`;
      if (!known.has(name)) known.set(name, faultOf(check));
      const fault = known.get(name);
      if (fault === undefined) return true;
      const isHidden = fault.code === "forbidden" && /^cannot look/.test(fault.message);
      troubles.push({ unit: unit.name, key, message: fault.message, isHidden });
      return false;
    };
    const user = unit.user ?? "";
    const isKnown = user === "" || look("user", user, () => {
      const account = accountOf(user);
      accounts.set(user, account);
      if (account.uid === daemonUid) return;
      if (daemonUid === 0) return checkUserChange();
      throw new Fault(
        "forbidden",
        `only root may start processes as "${user}": run the daemon as root, or leave user out`,
      );
    });
    const account = accounts.get(user) ?? (isKnown ? ownAccount() : undefined);
    const uid = accounts.get(user)?.uid ?? daemonUid;
    const path = unit.env.PATH ?? (unit.envBase === "clean" ? "/usr/bin:/bin" : ownVariable("PATH") ?? "");
    look(
      "shell",
      unit.shell.includes("/") ? unit.shell : `${unit.shell} ${path} ${uid}`,
      () => findShell(unit.shell, { path, uid }),
    );
    const folder = account === undefined
      ? unit.workingDir
      : unit.workingDir.replace(/^~(?=\/|$)/, account.home);
    if (!folder.startsWith("~")) look("working_dir", folder, () => checkFolder(folder));
    return troubles;
  });
}

function checkUserChange(): void {
  const { why } = userChange();
  if (why !== undefined) throw new Fault("not_found", why);
}

function faultOf(check: () => void): Fault | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return error instanceof Fault ? error : new Fault("internal", messageOf(error));
  }
}
