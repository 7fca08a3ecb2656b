/**
 * Whether a shell command, of which quotes are blanked, starts something that goes on without it: by a program that is
 * there to do so, or by the word "start" behind one that is no client of a service that runs elsewhere.
 */
export function startsOthers(code: string): boolean {
  const text = code.slice(0, 4000);
  if (launchers.test(text)) return true;
  for (
    const [, program = ""] of text.matchAll(
      /(?:^|[\s;&|({])([^\s;&|(){}]+)\s+(?:re)?start(?=\s*(?:$|[\n;&|)}]|\d?>))/g,
    )
  ) {
    if (!clients.has(program.split("/").at(-1) ?? "")) return true;
  }
  return false;
}

const launchers = new RegExp(
  "(?:^|[\\s;&|({/])(?:" + [
    "screen\\s[^;&|\\n]*-\\w*[dD]\\w*m",
    "tmux\\s+new(?:-session)?\\b[^;&|\\n]*\\s-\\w*d",
    "setsid\\s+(?:-\\w*f|--fork)",
    "start-stop-daemon\\s",
    "daemonize\\s",
    "forever\\s+start",
    "pm2\\s+(?:start|restart|resurrect|reload)\\b",
    "(?:auto)?ssh\\s[^;&|\\n]*\\s-\\w*f",
    "(?:service|rc-service|invoke-rc\\.d)\\s+\\S+\\s+(?:re)?start\\b",
    "init\\.d/\\S+\\s+(?:re)?start\\b",
  ].join("|") + ")|\\s--daemon(?:ize|ized)?(?:[=\\s](?:yes|true|1))?(?=\\s|$)",
);

/** Programs that ask another process to start something, which is then no child of theirs. */
const clients: ReadonlySet<string> = new Set(
  ("systemctl supervisorctl initctl launchctl machinectl rabbitmqctl svc docker podman docker-compose compose kubectl nomad " +
    "virsh VBoxManage vboxmanage aws gcloud az").split(" "),
);
