/**
 * A note for the words of a command that goes to the background by itself; undefined for any other. Its run would end
 * at once, and what it left behind would be stopped.
 */
export function daemonNote(words: readonly string[]): string | undefined {
  const program = words[0]?.split("/").at(-1) ?? "";
  const rest = words.slice(1);
  const staying = foreground.get(program);
  const goes = staying === undefined
    ? rest.some((word) => /^--daemon(?:ize|ized)?(?:=(?:yes|true|1))?$/.test(word))
    : !staying.test(` ${rest.join(" ")} `);
  if (!goes) return undefined;
  return `${program} goes to the background by itself, so its run would end at once: have it stay in the foreground`;
}

/** Programs that go to the background unless told otherwise, and what tells them. */
const foreground: ReadonlyMap<string, RegExp> = new Map([
  ["nginx", /daemon\s+off| -[tTvVhs]/],
  ["apache2", /FOREGROUND| -X /],
  ["httpd", /FOREGROUND| -X | -f /],
  ["apachectl", /FOREGROUND/],
  ["sshd", / -\w*[dDt]/],
  ["cron", / -\w*f/],
  ["crond", / -\w*[nf]/],
  ["atd", / -\w*[fd]/],
  ["rsyslogd", / -\w*n/],
  ["dnsmasq", / -\w*[kd]|--keep-in-foreground|--no-daemon/],
  ["php-fpm", / -\w*F|--nodaemonize/],
  ["vsftpd", /background=NO/i],
  ["proftpd", / -\w*n|--nodaemon/],
  ["postfix", /start-fg/],
  ["rpcbind", / -\w*[fd]/],
  ["haproxy", / -\w*(?:db|W)/],
]);
