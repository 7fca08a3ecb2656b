import type { LoadedCommand } from "./command.ts";

/** A command as the first help shows it; its module is loaded when it is called. */
export interface Entry {
  name: string;
  group: "Look" | "Act" | "Configure" | "Run a daemon";
  /** One line, no full stop. */
  summary: string;
  load: () => Promise<LoadedCommand>;
}

/** All commands, in the order of the first help. */
export const catalog: readonly Entry[] = [
  {
    name: "tui",
    group: "Look",
    summary: "Look and act in a terminal UI; so does svc alone on a terminal",
    load: async () => (await import("./commands/tui.ts")).command,
  },
  {
    name: "list",
    group: "Look",
    summary: "Show units with their state, schedule, last and next run",
    load: async () => (await import("./commands/list.ts")).command,
  },
  {
    name: "status",
    group: "Look",
    summary: "Show how the daemon is, or one unit in detail",
    load: async () => (await import("./commands/status.ts")).command,
  },
  {
    name: "runs",
    group: "Look",
    summary: "Show past and present runs",
    load: async () => (await import("./commands/runs.ts")).command,
  },
  {
    name: "logs",
    group: "Look",
    summary: "Show the output of a unit's newest run, or of one run",
    load: async () => (await import("./commands/logs.ts")).command,
  },
  {
    name: "search",
    group: "Look",
    summary: "Find lines in the output of runs",
    load: async () => (await import("./commands/search.ts")).command,
  },
  {
    name: "next",
    group: "Look",
    summary: "Show when tasks run next",
    load: async () => (await import("./commands/next.ts")).command,
  },
  {
    name: "run",
    group: "Act",
    summary: "Run a task, show its output, and exit with its code",
    load: async () => (await import("./commands/run.ts")).command,
  },
  {
    name: "start",
    group: "Act",
    summary: "Start services, or tasks that are idle",
    load: async () => (await import("./commands/act.ts")).start,
  },
  {
    name: "stop",
    group: "Act",
    summary: "Stop services, or what tasks have active and waiting",
    load: async () => (await import("./commands/act.ts")).stop,
  },
  {
    name: "restart",
    group: "Act",
    summary: "Stop and start services, or replace what tasks are doing by one fresh run",
    load: async () => (await import("./commands/act.ts")).restart,
  },
  {
    name: "pause",
    group: "Act",
    summary: "Hold the schedules of tasks",
    load: async () => (await import("./commands/act.ts")).pause,
  },
  {
    name: "resume",
    group: "Act",
    summary: "Let held schedules go on",
    load: async () => (await import("./commands/act.ts")).resume,
  },
  {
    name: "reload",
    group: "Configure",
    summary: "Put a changed configuration into force",
    load: async () => (await import("./commands/reload.ts")).command,
  },
  {
    name: "validate",
    group: "Configure",
    summary: "Check a configuration file without a daemon",
    load: async () => (await import("./commands/validate.ts")).command,
  },
  {
    name: "import",
    group: "Configure",
    summary: "Make units of the files of cron and other programs",
    load: async () => (await import("./commands/import.ts")).command,
  },
  {
    name: "export",
    group: "Configure",
    summary: "Write units as files of systemd, Kubernetes or Nomad",
    load: async () => (await import("./commands/export.ts")).command,
  },
  {
    name: "notify",
    group: "Configure",
    summary: "Send a test message to a notifier",
    load: async () => (await import("./commands/notify.ts")).command,
  },
  {
    name: "openapi",
    group: "Configure",
    summary: "Print the OpenAPI description of a daemon",
    load: async () => (await import("./commands/openapi.ts")).command,
  },
  {
    name: "schema",
    group: "Configure",
    summary: "Print the JSON Schema of the configuration file",
    load: async () => (await import("./commands/schema.ts")).command,
  },
  {
    name: "up",
    group: "Run a daemon",
    summary: "Start a daemon in the background if none runs, and open the terminal UI",
    load: async () => (await import("./commands/up.ts")).command,
  },
  {
    name: "daemon",
    group: "Run a daemon",
    summary: "Run the daemon in the foreground",
    load: async () => (await import("./commands/daemon.ts")).command,
  },
  {
    name: "service",
    group: "Run a daemon",
    summary: "Install, remove or look at the daemon's service of systemd or launchd",
    load: async () => (await import("./commands/service.ts")).command,
  },
  {
    name: "demo",
    group: "Run a daemon",
    summary: "Write a demonstration file and run a daemon on it",
    load: async () => (await import("./commands/demo.ts")).command,
  },
  {
    name: "drain",
    group: "Run a daemon",
    summary: "Let the runs of tasks end, start nothing new, then end the daemon",
    load: async () => (await import("./commands/drain.ts")).command,
  },
  {
    name: "handover",
    group: "Run a daemon",
    summary: "End the daemon and leave all that runs to the next one",
    load: async () => (await import("./commands/handover.ts")).command,
  },
  {
    name: "upgrade",
    group: "Run a daemon",
    summary: "Put another program in the place of the running one, and let what runs go on",
    load: async () => (await import("./commands/upgrade.ts")).command,
  },
  {
    name: "backup",
    group: "Run a daemon",
    summary: "Copy a running daemon's database into one file",
    load: async () => (await import("./commands/backup.ts")).command,
  },
  {
    name: "restore",
    group: "Run a daemon",
    summary: "Put a backup in place of the database of a stopped daemon",
    load: async () => (await import("./commands/restore.ts")).command,
  },
  {
    name: "doctor",
    group: "Run a daemon",
    summary: "Look for what is wrong with this machine, the files and the daemon",
    load: async () => (await import("./commands/doctor.ts")).command,
  },
  {
    name: "debug",
    group: "Run a daemon",
    summary: "Show what goes on inside a daemon: runs, waits, timers, memory",
    load: async () => (await import("./commands/debug.ts")).command,
  },
  {
    name: "password",
    group: "Run a daemon",
    summary: "Print the password that the daemon made for its page",
    load: async () => (await import("./commands/password.ts")).command,
  },
  {
    name: "login",
    group: "Run a daemon",
    summary: "Log in to a daemon on another machine, and keep the session",
    load: async () => (await import("./commands/login.ts")).command,
  },
  {
    name: "completions",
    group: "Configure",
    summary: "Print the script that completes svc's words in a shell",
    load: async () => (await import("./commands/completions.ts")).command,
  },
  {
    name: "version",
    group: "Run a daemon",
    summary: "Print the version",
    load: async () => (await import("./commands/version.ts")).command,
  },
];
