import { Fault } from "../../fault.ts";
import { plainEnvironment, programPath } from "../programs.ts";
import { ownVariable } from "../own_variable.ts";

/** An entry of the machine's user database. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
  home: string;
  shell: string;
}

/** Looks up "name" or "name:group" (names or numbers). Throws `Fault` for one that does not exist. */
export function accountOf(user: string): Account {
  const [name = "", group] = user.split(":");
  const fields = entry("passwd", name);
  if (fields === undefined) throw new Fault("not_found", `no such user "${name}": create it, or change user`);
  const account: Account = {
    name: fields[0]!,
    uid: Number(fields[2]),
    gid: Number(fields[3]),
    home: fields[5] || "/",
    shell: fields[6] || "/bin/sh",
  };
  if (group === undefined) return account;
  const groupFields = entry("group", group);
  if (groupFields === undefined) {
    throw new Fault("not_found", `no such group "${group}": create it, or change user`);
  }
  return { ...account, gid: Number(groupFields[2]) };
}

let own: Account | undefined;

/** The account that this process runs under: it is asked for once, since who it is does not change. */
export function ownAccount(): Account {
  return own ??= lookUpOwn();
}

function lookUpOwn(): Account {
  const uid = Deno.uid() ?? 0;
  const fields = entry("passwd", String(uid));
  const home = ownVariable("HOME") ?? fields?.[5] ?? "/";
  const name = fields?.[0] ?? String(uid);
  return { name, uid, gid: Deno.gid() ?? 0, home, shell: fields?.[6] || "/bin/sh" };
}

function entry(database: "passwd" | "group", key: string): string[] | undefined {
  const wanted = (line: string): boolean => {
    const [name, , id] = line.split(":");
    return name === key || id === key;
  };
  const local = linesOf(() => Deno.readTextFileSync(`/etc/${database}`)).find(wanted);
  // A directory service (LDAP, SSSD) knows accounts that the file does not.
  const found = local ?? linesOf(() => getent(database, key)).find(wanted);
  return found?.split(":");
}

function getent(database: string, key: string): string {
  const program = programPath("getent");
  if (program === undefined) return "";
  const { stdout } = new Deno.Command(program, {
    args: [database, key],
    clearEnv: true,
    env: { ...plainEnvironment },
    stdin: "null",
    stderr: "null",
  }).outputSync();
  return new TextDecoder().decode(stdout);
}

function linesOf(read: () => string): string[] {
  try {
    return read().split("\n");
  } catch {
    return [];
  }
}
