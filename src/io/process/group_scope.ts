import { ownVariable } from "../own_variable.ts";
import { plainEnvironment, programPath } from "../programs.ts";
import { daemonGroup } from "../../core/service_file.ts";
import { endOf } from "./child_end.ts";
import { type GroupsFound, probeGroups } from "./group_probe.ts";
import { systemdLook } from "./night_watch.ts";
import { reach } from "./reach.ts";

/**
 * Has systemd make a scope for the runs of a daemon whose own group systemd enters again, and stays in it, since an empty
 * one goes: until its input ends, and LINGER seconds more, in which the next daemon comes in. One that is there is entered.
 *
 * Arguments: the key of the installation, where systemctl and systemd-run are, LINGER. Says "none" where nobody enters the
 * daemon's group again, or that is no matter (no hierarchy of the second version has controllers), "beside" where it is a leaf
 * that systemd has made for the daemon, "ends MODE" where the unit leaves nothing for the next daemon, "in PATH", or "refused", and
 * why. A scope is called after the unit: of svc.service it is svc-runs.scope.
 */
const script = `
export key=$1 linger=$4
systemctl=$2 run=$3 root=/sys/fs/cgroup unit= manager=
own=$(sed -n 's/^[0-9]*:\\(name=systemd\\)*://p' /proc/self/cgroup | head -n 1)
case $own in
  */${daemonGroup}) echo beside; exit ;;
  *.service) unit=\${own##*/} ;;
  *) echo none; exit ;;
esac
case \${own%/*} in */user@*.service*) manager=--user ;; esac
if [ -n "$systemctl" ]; then
  mode=$("$systemctl" $manager show --property=KillMode "$unit" 2>/dev/null)
  case $mode in *=mixed|*=control-group) echo "ends \${mode#*=}"; exit ;; esac
fi
[ -n "$(cat $root/cgroup.controllers 2>/dev/null)" ] || { echo none; exit; }
[ -n "$run" ] && [ -n "$systemctl" ] || { echo "refused there is no systemd-run"; exit; }
scope=\${unit%.service}-runs.scope
hold='trap "" HUP; echo "in $(sed -n s/^0:://p /proc/self/cgroup)"; exec >&- 2>&-; read -r _ || sleep $linger'
for round in 1 2 3; do
  path=$("$systemctl" $manager show --property=ControlGroup "$scope" 2>/dev/null)
  path=\${path#ControlGroup=}
  if [ -n "$path" ]; then
    mkdir -p "$root$path/svc-$key/daemon" 2>/dev/null
    for place in "/svc-$key/daemon" ""; do
      { echo $$ > "$root$path$place/cgroup.procs"; } 2>/dev/null && exec /bin/sh -c "$hold" svc-scope
    done
  fi
  why=$("$run" $manager --scope --quiet --collect --slice-inherit --no-ask-password --unit="$scope" \\
    --description="runs of $unit" --property=Delegate=yes /bin/sh -c "$hold" svc-scope 2>&1 >&3 3>&-) && exit
  # One of that name may just be going.
  sleep 0.2
done 3>&1
echo "refused $why"
`;

/** How long systemd may take, ms. */
const patience = 10_000;
/** Who is told to leave it has so long, ms. */
const leavePatience = 1_000;
/** The next daemon has so long to come in, s. */
const linger = 20;

/** The scope of a daemon's runs, for as long as the daemon lives. */
export interface GroupScope {
  /** Leaves it; `isLeft`: the next daemon will come in. */
  close(options: { isLeft: boolean }): Promise<void>;
}

/** Finds out where groups can be made. Those of a daemon of systemd's stand where systemd need not come again. */
export async function findGroups(
  key: string,
  say: (text: string) => void,
): Promise<GroupsFound & { scope?: GroupScope }> {
  if (systemdLook() === undefined) return await probeGroups(key);
  const child = spawn(key);
  const line = await firstLine(child);
  const path = /^in (\/.+?)(?:\/svc-[0-9a-f]{16}\/daemon)?$/.exec(line)?.[1];
  const scope = path === undefined ? undefined : scopeOf(child, say);
  if (scope === undefined) {
    await leave(child);
    tell(line, say);
  }
  const found = await probeGroups(key, { isManaged: !/^(none|ends .*)$/.test(line), scope: path });
  return { ...found, ...(scope === undefined ? {} : { scope }) };
}

/** Says what is not as it should be. */
function tell(line: string, say: (text: string) => void): void {
  if (line === "none" || line === "beside") return;
  if (line.startsWith("ends ")) {
    return say(
      `the unit of this daemon ends all that runs whenever the daemon ends (KillMode=${line.slice(5)}): ` +
        '"svc service install" writes one that does not',
    );
  }
  const why = line.replace(/^refused /, "") || "it does not answer";
  say(`systemd makes no scope for the runs, so that no limits can be held: ${why}`);
}

function scopeOf(child: Deno.ChildProcess, say: (text: string) => void): GroupScope {
  let isClosed = false;
  const watch = async (): Promise<void> => {
    await endOf(child);
    if (isClosed) return;
    say(
      "the scope of the runs was ended by somebody else: limits are held again when the daemon is restarted",
    );
  };
  void watch().catch(reportError);
  return {
    async close({ isLeft }): Promise<void> {
      isClosed = true;
      // The end of its input tells it that the daemon is gone, a line that nobody is to come.
      if (isLeft) child.unref();
      else await leave(child);
    },
  };
}

async function leave(child: Deno.ChildProcess): Promise<void> {
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode("\n")).catch(() => {});
  await writer.close().catch(() => {});
  const timer = setTimeout(() => reach(child.pid, "SIGKILL"), leavePatience);
  await endOf(child);
  clearTimeout(timer);
}

function spawn(key: string): Deno.ChildProcess {
  const runtimeDir = ownVariable("XDG_RUNTIME_DIR");
  const bus = ownVariable("DBUS_SESSION_BUS_ADDRESS");
  return new Deno.Command("/bin/sh", {
    args: [
      // Not as an argument: lists of processes would show all of it.
      ...["-c", 'script=$SCRIPT; unset SCRIPT; eval "$script"', "svc-scope", key],
      ...[programPath("systemctl") ?? "", programPath("systemd-run") ?? "", String(linger)],
    ],
    clearEnv: true,
    env: {
      ...plainEnvironment,
      SCRIPT: script,
      ...(runtimeDir === undefined ? {} : { XDG_RUNTIME_DIR: runtimeDir }),
      ...(bus === undefined ? {} : { DBUS_SESSION_BUS_ADDRESS: bus }),
    },
    cwd: "/",
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
}

/** What it says first; "" where it says nothing in time. */
async function firstLine(child: Deno.ChildProcess): Promise<string> {
  const timer = setTimeout(() => reach(child.pid, "SIGKILL"), patience);
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    while (!text.includes("\n")) {
      const { value, done } = await reader.read();
      if (done) break;
      text += value;
    }
  } catch {
    // Then it has said nothing.
  } finally {
    clearTimeout(timer);
    await reader.cancel().catch(() => {});
  }
  return text.split("\n")[0] ?? "";
}
