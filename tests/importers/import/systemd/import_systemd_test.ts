import assert from "node:assert/strict";
import { matchesGlob } from "../../../../src/core/config/glob.ts";
import { importSystemd } from "../../../../src/importers/import/systemd/import_systemd.ts";
import type { SourceFile } from "../../../../src/importers/import/imported.ts";
import { importAs, type Outcome, told } from "../corpus.ts";

/** Imports the first of some files, or all that are named; the rest is there to be found. */
function importFiles(
  texts: Record<string, string>,
  named: string[] = Object.keys(texts).slice(0, 1),
): Outcome {
  const files: SourceFile[] = Object.entries(texts).map(([path, text]) => ({ path, text }));
  const [first, ...also] = named.map((name) => files.find(({ path }) => path === name)!);
  return importAs(importSystemd, first!.text, {
    path: first!.path,
    also,
    context: { files: (glob) => files.filter(({ path }) => matchesGlob(path, glob)) },
  });
}

function everything({ imported }: Outcome): string {
  return imported.entries.map((entry) => `${entry.file}:${entry.line} ${entry.what}: ${told(entry)}`).join(
    "\n",
  );
}

Deno.test("importSystemd() lays drop-ins over a unit, in the order of their names", () => {
  const { services } = importFiles({
    "/etc/s/a.service": "[Service]\nExecStart=/bin/a\nEnvironment=X=1 Y=1\nRestart=always\n",
    "/etc/s/a.service.d/20-late.conf": "[Service]\nEnvironment=X=3\n",
    "/etc/s/a.service.d/10-early.conf":
      "[Service]\nExecStart=\nExecStart=/bin/b\nEnvironment=X=2\nRestart=\n",
  });
  const { run, env, restart } = services.get("a")!;
  assert.deepEqual([run, env["X"], env["Y"], restart], ["exec /bin/b", "3", "1", "never"]);
});

Deno.test("importSystemd() puts specifiers into accounts, and restarts nothing that systemd would wait for without end", () => {
  const { services } = importFiles({
    "/etc/s/y@foo.service":
      "[Service]\nExecStart=/bin/a\nUser=%i\nGroup=%i-g\nRestart=always\nRestartSec=infinity\n",
  });
  const { user, restart } = services.get("y@foo") ?? services.values().next().value!;
  assert.deepEqual([user, restart], ["foo:foo-g", "never"]);
  const unknown = importFiles({ "/etc/s/z.service": "[Service]\nExecStart=/bin/a\nUser=%q\nGroup=g\n" });
  assert.equal(unknown.services.get("z")?.user, undefined);
});

Deno.test("importSystemd() reads what systemctl cat prints, with lines of the stream", () => {
  const text = [
    "# /etc/s/a.service",
    "[Service]",
    "ExecStart=/bin/a",
    "",
    "# /etc/s/a.service.d/x.conf",
    "[Service]",
    "User=me",
    "Nice=5",
    "# /etc/s/b.timer",
    "[Timer]",
    "OnCalendar=daily",
    "",
    "# /etc/s/b.service",
    "[Service]",
    "ExecStart=/bin/b",
  ].join("\n");
  const outcome = importAs(importSystemd, text, { path: "-" });
  assert.deepEqual([outcome.services.get("a")?.user, outcome.tasks.get("b")?.cron], ["me", "0 0 * * *"]);
  assert.match(everything(outcome), /^-:8 Nice=5: /m);
});

Deno.test("importSystemd() reads a service and its timer from one stream without paths", () => {
  const text = "[Service]\nExecStart=/bin/a\n[Timer]\nOnCalendar=hourly\n";
  const { tasks } = importAs(importSystemd, text, { path: "-" });
  assert.deepEqual([...tasks.values()].map(({ name, cron }) => [name, cron]), [["imported", "0 * * * *"]]);
});

Deno.test("importSystemd() finds the service of a timer beside it, or says what to name", () => {
  const timer = "[Timer]\nOnCalendar=daily\nUnit=other.service\n";
  const found = importFiles({
    "/etc/s/a.timer": timer,
    "/etc/s/other.service": "[Service]\nExecStart=/bin/o\n",
  });
  assert.equal(found.tasks.get("other")?.cron, "0 0 * * *");
  assert.match(
    everything(importFiles({ "/etc/s/a.timer": timer })),
    /the other\.service that it starts is not among/,
  );
});

Deno.test("importSystemd() ties services that were imported together", () => {
  const outcome = importFiles({
    "/etc/s/web.service":
      "[Unit]\nAfter=db.service cache.service other.service network.target\nRequires=db.service\n[Service]\nExecStart=/w\n" +
      "[Install]\nWantedBy=multi-user.target\n",
    "/etc/s/db.service": "[Service]\nExecStart=/d\n",
    "/etc/s/cache.service": "[Service]\nExecStart=/c\n[Install]\nWantedBy=multi-user.target\n",
  }, ["/etc/s/web.service", "/etc/s/db.service", "/etc/s/cache.service"]);
  assert.deepEqual(outcome.services.get("web")?.dependsOn, ["db", "cache"]);
  assert.match(
    everything(outcome),
    /web\.service:2 After=.*more than an order[^]*waits for it: other\.service$/m,
  );
});

Deno.test("importSystemd() refuses a template without an instance, and takes the one that its file or timer names", () => {
  const template = "[Service]\nExecStart=/bin/w %i\n";
  assert.match(everything(importFiles({ "/etc/s/w@.service": template })), /template without an instance/);
  assert.equal(
    importFiles({ "/etc/s/w@blue.service": template }).services.get("w-blue")?.run,
    "exec /bin/w blue",
  );
  const timed = importFiles({
    "/etc/s/w.timer": "[Timer]\nOnCalendar=daily\nUnit=w@red.service\n",
    "/etc/s/w@.service": template,
  }, ["/etc/s/w.timer", "/etc/s/w@.service"]);
  assert.equal(timed.tasks.get("w-red")?.run, "exec /bin/w red");
});

Deno.test("importSystemd() makes a task of what runs once", () => {
  const { tasks } = importFiles({
    "/etc/s/once.service":
      "[Service]\nType=oneshot\nExecStart=/a ; /b\nTimeoutStartSec=5min\n[Install]\nWantedBy=x\n",
  });
  const { run, runOnStart, timeout, cron } = tasks.get("once")!;
  assert.deepEqual([run, runOnStart, timeout, cron], ["/a\nexec /b", true, 300_000, undefined]);
});

Deno.test("importSystemd() takes no part of a service that systemd would not start", () => {
  const why = (service: string): string =>
    everything(importFiles({ "/etc/s/a.service": `[Service]\n${service}` }));
  assert.match(why("Restart=always\n"), /a\.service:1 a\.service: it has no ExecStart/);
  assert.match(why("ExecStart=/a\nExecStart=/b\n"), /a\.service:3 .*more than one ExecStart/);
  assert.match(why('ExecStart=/a "b\n'), /a\.service:2 .*double quote is never closed/);
  assert.match(why("ExecStart=/a %m\n"), /%m can't be put in/);
});

Deno.test("importSystemd() tells of lines that systemd passes over, and of the key that was meant", () => {
  const told = everything(importFiles({
    "/etc/s/a.service":
      "Description=early\n[Service]\nExecStart=/a\nnonsense\nRestrat=always\n[Odd]\nX=1\n[Service\n",
  }));
  assert.match(told, /:1 Description=early: it stands in front of all sections/);
  assert.match(told, /:4 nonsense: no "="/);
  assert.match(told, /:5 Restrat=always: .*did you mean "Restart"\?/);
  assert.match(told, /:7 X=1: svc knows nothing of the section \[Odd\]/);
  assert.match(told, /:8 \[Service: the "\]" of its section is missing/);
});

Deno.test("importSystemd() takes nothing of a file that is something else", () => {
  const broken = (path: string, text: string) => importFiles({ [path]: text }).imported.broken?.why ?? "";
  assert.match(broken("/etc/crontab", "0 5 * * * root /bin/true\n"), /no unit file of a service or timer/);
  assert.match(broken("/etc/s/a.socket", "[Socket]\nListenStream=1\n"), /no counterpart of a socket unit/);
  assert.match(broken("/etc/s/a.service", "[Timer]\nOnCalendar=daily\n"), /no section \[Service\]/);
});

Deno.test("importSystemd() keeps a value over continued lines, with remarks and line ends of Windows in between", () => {
  const text = "[Service]\r\nExecStart=/a \\\r\n# remark\r\n  'b c' \\\r\n; another\r\n  d\r\nUser=me\r\n";
  const { services } = importAs(importSystemd, `\ufeff${text}`, { path: "/etc/s/a.service" });
  assert.deepEqual([services.get("a")?.run, services.get("a")?.user], ["exec /a 'b c' d", "me"]);
});

Deno.test("importSystemd() has units of a user start in their home, as that user", () => {
  const { services } = importFiles({
    "/home/u/.config/systemd/user/a.service": "[Service]\nUser=x\nExecStart=%h/bin/a\n",
  });
  assert.equal(services.size, 0);
  const known = importAs(importSystemd, "[Service]\nExecStart=%h/bin/a\n", {
    path: "/home/u/.config/systemd/user/a.service",
    context: { home: "/home/u" },
  });
  const { run, workingDir, envBase, user } = known.services.get("a")!;
  assert.deepEqual([run, workingDir, envBase, user], ["exec /home/u/bin/a", "~", "inherit", undefined]);
});

Deno.test("importSystemd() takes a stop signal by its number, and tells of one that svc can't send", () => {
  const of = (signal: string) =>
    importFiles({ "/etc/s/a.service": `[Service]\nExecStart=/a\nKillSignal=${signal}\n` });
  assert.equal(of("2").services.get("a")?.stopSignal, "SIGINT");
  assert.equal(of("SIGRTMIN+3").services.get("a")?.stopSignal, "SIGTERM");
  assert.match(everything(of("SIGRTMIN+3")), /:3 KillSignal=SIGRTMIN\+3: it is no signal that svc can send/);
});
