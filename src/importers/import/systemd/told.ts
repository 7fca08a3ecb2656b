import { nearest } from "../../../core/nearest.ts";
import { isBootTarget } from "./boot_targets.ts";
import type { Assignment } from "./unit_file.ts";

/** Takes down what is to be told of the lines of a unit. */
export interface Told {
  note(assignment: Assignment, note: string): void;
  refuse(assignment: Assignment, why: string): void;
}

/** Why a key of a unit has no counterpart in svc; undefined for one that is read, or says nothing. */
export function whyLeftOut({ section, key, value }: Assignment): string | undefined {
  if (reads.get(section)?.has(key) || /^(?:journal|inherit)$/.test(value)) return undefined;
  if (section.startsWith("X-")) return "sections that begin with X- are for other programs";
  if (!reads.has(section)) {
    return `svc knows nothing of the section [${section}]`;
  }
  if (/^X-/.test(key)) return "keys that begin with X- are for other programs";
  // Stages of the boot say nothing here.
  if (orders.test(key) && value.split(/\s+/).every(isBootTarget)) return undefined;
  if (key === "StandardInput" && value === "null") return undefined;
  const reason = reasons.find(({ keys }) => keys.test(key));
  if (reason !== undefined) return reason.why;
  if (value === "") return undefined;
  const near = nearest(key, reads.get(section) ?? []);
  return `it is no key of [${section}] that is known here${
    near === undefined ? "" : `: did you mean "${near}"?`
  }`;
}

const reads: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    Unit: "Description After Requires BindsTo Requisite Wants",
    Service:
      "Type User Group WorkingDirectory Environment EnvironmentFile PassEnvironment ExecStartPre ExecStart " +
      "ExecStartPost Restart RestartSec SuccessExitStatus TimeoutStartSec TimeoutStopSec TimeoutSec RuntimeMaxSec " +
      "KillSignal KillMode UMask MemoryMax MemoryLimit CPUQuota TasksMax RuntimeDirectory " +
      "StateDirectory CacheDirectory LogsDirectory ConfigurationDirectory",
    Timer: "OnCalendar OnActiveSec OnBootSec OnStartupSec OnUnitActiveSec OnUnitInactiveSec Persistent " +
      "RandomizedDelaySec AccuracySec Unit",
    Install: "WantedBy RequiredBy UpheldBy DefaultInstance",
  }).map(([section, keys]) => [section, new Set(keys.split(" "))]),
);

const orders = /^(?:Before|Conflicts|PartOf|Upholds|PropagatesStopTo|StopPropagatedFrom)$/;

/** Keys, a star standing for any letters, and why they are left out. */
const reasons = ([
  ["Documentation", "svc has no place for it: the description is taken"],
  ["Condition* Assert* ExecCondition", "svc has no conditions: test for it in the script"],
  ["StartLimit*", "svc gives up by start_retries, which counts failed starts in a row; by default never"],
  [
    "Before Conflicts PartOf Upholds Propagates* StopPropagatedFrom JoinsNamespaceOf RequiresMountsFor WantsMountsFor " +
    "StopWhenUnneeded RefuseManual* AllowIsolate DefaultDependencies CollectMode IgnoreOnIsolate SourcePath",
    "svc orders services by depends_on alone",
  ],
  ["OnFailure* OnSuccess*", "a notifier of svc tells of failures"],
  ["FailureAction* SuccessAction* JobTimeout* RebootArgument", "svc leaves the machine alone"],
  ["ExecStop", "svc stops by stop_signal, and kills after graceful_stop: it runs no command for that"],
  ["ExecStopPost", "svc runs nothing behind a service: a trap in the script could"],
  ["ExecReload*", "svc restarts a service, or sends no signal at all: send it yourself"],
  ["RemainAfterExit", "what has ended is not active here: a timer starts it again"],
  [
    "PIDFile GuessMainPID NotifyAccess BusName FileDescriptorStore* Sockets ExitType",
    "svc watches the process that it starts itself, which has to stay in the foreground",
  ],
  ["WatchdogSec", "svc hears no watchdog: a health_check asks instead"],
  [
    "RestartPreventExitStatus RestartForceExitStatus RestartSteps RestartMaxDelaySec RestartMode",
    "svc decides by exit_codes and failures alone",
  ],
  [
    "SendSIGKILL SendSIGHUP FinalKillSignal WatchdogSignal RestartKillSignal TimeoutAbortSec TimeoutStartFailureMode " +
    "TimeoutStopFailureMode RuntimeRandomizedExtraSec OOMPolicy",
    "svc stops by stop_signal, waits graceful_stop, and kills what is left",
  ],
  ["Limit*", "svc sets no such limit: ulimit in the script does"],
  [
    "Nice IOScheduling* CPUScheduling* CPUAffinity NUMA* OOMScoreAdjust TimerSlackNSec IOWeight StartupIOWeight " +
    "CPUWeight StartupCPUWeight CPUShares",
    "svc sets no priorities: nice, ionice, chrt or taskset in front of the command do",
  ],
  [
    "StandardInput*",
    "its standard input is empty: a here-document, or a redirection in the script, fills it",
  ],
  ["Standard* Syslog* Log* TTY*", "the output goes to the log of its run"],
  [
    "UnsetEnvironment LoadCredential* SetCredential* ImportCredential",
    "secrets and secrets_file are svc's way",
  ],
  [
    "Protect* Private* Restrict* NoNewPrivileges Capability* Ambient* SystemCall* ReadWrite* ReadOnly* Inaccessible* " +
    "ExecPaths ExecSearchPath NoExecPaths Lock* MemoryDenyWriteExecute Keyring* Secure* Device* Root* Bind* Temporary* RemoveIPC IP* Proc* " +
    "Mount* Personality SELinux* AppArmor* Smack* Utmp* DynamicUser SupplementaryGroups PAMName UserNamespace* " +
    "NetworkNamespace* Extension* SocketBind* SetLoginEnvironment BPF*",
    "svc gives a run its account and limits, and walls it off no further: systemd-run or bubblewrap in the script could",
  ],
  [
    "Memory* Tasks* CPU* IO* BlockIO* Slice Delegate* ManagedOOM* AllowedCPUs AllowedMemoryNodes DisableControllers",
    "of limits svc knows the most memory, processor time and processes",
  ],
  ["*Directory *DirectoryMode *DirectoryPreserve", "svc makes no folders"],
  ["Alias Also", "a unit of svc has one name"],
  [
    "OnClockChange OnTimezoneChange WakeSystem RemainAfterElapse FixedRandomDelay RandomizedOffsetSec DeferReactivation",
    "svc has no such timers",
  ],
] as const).map(([keys, why]) => ({
  keys: new RegExp(`^(?:${keys.replaceAll("*", "\\w*").replaceAll(" ", "|")})$`),
  why,
}));
