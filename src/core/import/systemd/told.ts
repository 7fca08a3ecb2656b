import { nearest } from "../../nearest.ts";
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
  for (const { keys, why } of reasons) if (keys.test(key)) return why;
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

const reasons: readonly { keys: RegExp; why: string }[] = [
  { keys: /^RemainAfterExit$/, why: "what has ended is not active here: a timer starts it again" },
  { keys: /^Documentation$/, why: "svc has no place for it: the description is taken" },
  { keys: /^(?:Condition|Assert)/, why: "svc has no conditions: test for it in the script" },
  {
    keys: /^StartLimit/,
    why: "svc gives up by start_retries, which counts failed starts in a row; by default never",
  },
  {
    keys:
      /^(?:Before|Conflicts|PartOf|Upholds|PropagatesStopTo|PropagatesReload\w*|StopPropagatedFrom|JoinsNamespaceOf|RequiresMountsFor|WantsMountsFor|StopWhenUnneeded|RefuseManual\w+|AllowIsolate|DefaultDependencies|CollectMode|IgnoreOnIsolate|SourcePath)$/,
    why: "svc orders services by depends_on alone",
  },
  { keys: /^On(?:Failure|Success)/, why: "a notifier of svc tells of failures" },
  {
    keys: /^(?:FailureAction|SuccessAction|JobTimeout|RebootArgument|StartLimitAction)/,
    why: "svc leaves the machine alone",
  },
  {
    keys: /^ExecStop$/,
    why: "svc stops by stop_signal, and kills after graceful_stop: it runs no command for that",
  },
  { keys: /^ExecStopPost$/, why: "svc runs nothing behind a service: a trap in the script could" },
  { keys: /^ExecReload$/, why: "svc restarts a service, or sends no signal at all: send it yourself" },
  { keys: /^ExecCondition$/, why: "svc has no conditions: test for it in the script" },
  {
    keys: /^(?:PIDFile|GuessMainPID|NotifyAccess|BusName|FileDescriptorStoreMax|Sockets|ExitType)$/,
    why: "svc watches the process that it starts itself, which has to stay in the foreground",
  },
  { keys: /^(?:WatchdogS\w+|WatchdogSec)$/, why: "svc hears no watchdog: a health_check asks instead" },
  {
    keys: /^Restart(?:PreventExitStatus|ForceExitStatus|Steps|MaxDelaySec|Mode)$/,
    why: "svc decides by exit_codes and failures alone",
  },
  {
    keys:
      /^(?:SendSIGKILL|SendSIGHUP|FinalKillSignal|WatchdogSignal|RestartKillSignal|TimeoutAbortSec|TimeoutStartFailureMode|TimeoutStopFailureMode|RuntimeRandomizedExtraSec|OOMPolicy)$/,
    why: "svc stops by stop_signal, waits graceful_stop, and kills what is left",
  },
  { keys: /^Limit[A-Z]/, why: "svc sets no such limit: ulimit in the script does" },
  {
    keys:
      /^(?:Nice|IOScheduling\w+|CPUScheduling\w+|CPUAffinity|NUMA\w+|OOMScoreAdjust|TimerSlackNSec|IOWeight|CPUWeight|StartupCPUWeight|CPUShares|BlockIO\w+|IO\w+Max|StartupIOWeight)$/,
    why: "svc sets no priorities: nice, ionice, chrt or taskset in front of the command do",
  },
  {
    keys:
      /^(?:Memory\w+|Tasks\w+|CPU\w+|IO\w+|Slice|Delegate|ManagedOOM\w+|AllowedCPUs|AllowedMemoryNodes|DisableControllers)$/,
    why: "of limits svc knows the most memory, processor time and processes",
  },
  {
    keys:
      /^(?:Protect|Private|Restrict|NoNewPrivileges|Capability|Ambient|SystemCall|ReadWrite|ReadOnly|Inaccessible|Exec(?:Paths|SearchPath)|NoExecPaths|Lock|MemoryDeny|Keyring|Secure|Device|Root|Bind|Temporary|RemoveIPC|IP[A-Z]|Proc|Mount|Personality|SELinux|AppArmor|Smack|Utmp|DynamicUser|SupplementaryGroups|PAMName|UserNamespace|NetworkNamespace|ExtensionImages|Socket(?:Bind)|SetLoginEnvironment|BPF)/,
    why:
      "svc gives a run its account and limits, and walls it off no further: systemd-run or bubblewrap in the script could",
  },
  { keys: /^(?:Standard\w+|Syslog\w+|Log\w+|TTY\w*)$/, why: "the output goes to the log of its run" },
  {
    keys: /^(?:UnsetEnvironment|LoadCredential\w*|SetCredential\w*|ImportCredential)$/,
    why: "secrets and secrets_file are svc's way",
  },
  { keys: /^\w+Directory(?:Mode|Preserve)?$/, why: "svc makes no folders" },
  { keys: /^(?:Alias|Also)$/, why: "a unit of svc has one name" },
  {
    keys:
      /^(?:OnClockChange|OnTimezoneChange|WakeSystem|RemainAfterElapse|FixedRandomDelay|RandomizedOffsetSec|DeferReactivation)$/,
    why: "svc has no such timers",
  },
];
