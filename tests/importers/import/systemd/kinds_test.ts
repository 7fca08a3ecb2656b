/** What systemd 252 does with values that a shell, or another account, would understand otherwise. */

import assert from "node:assert/strict";
import { importSystemd } from "../../../../src/importers/import/systemd/import_systemd.ts";
import { readCalendar } from "../../../../src/importers/import/systemd/calendar.ts";
import { cronOfCalendar } from "../../../../src/importers/import/systemd/calendar_cron.ts";
import { readerLines } from "../../../../src/importers/import/systemd/environment_reader.ts";
import type { ImportContext } from "../../../../src/importers/import/imported.ts";
import { importAs, type Outcome, told } from "../corpus.ts";
import { received } from "../stub.ts";

const install = "[Install]\nWantedBy=multi-user.target\n";

function importUnit(
  lines: string,
  { path = "/etc/systemd/system/a.service", more = install, ...own }: {
    path?: string;
    more?: string;
    context?: Partial<ImportContext>;
    env?: Record<string, string>;
  } = {},
): Outcome {
  return importAs(importSystemd, `[Service]\n${lines}\n${more}`, { path, ...own });
}

function everything({ imported }: Outcome): string {
  return imported.entries.map((entry) => `${entry.line} ${entry.what}: ${told(entry)}`).join("\n");
}

Deno.test("importSystemd() hands on ${X:-y} as it stands, as systemd does, and empties what is a wrong name", () => {
  const words = (command: string, env = {}) =>
    received(importUnit(`ExecStart=/bin/x ${command}`).services.get("a")!.run, { env }).slice(1);
  assert.deepEqual(words("'exec web --port ${PORT:-8080}'"), ["exec web --port ${PORT:-8080}"]);
  assert.deepEqual(words("${A:+b} ${A:?c} a${A:=d}", { A: "1" }), ["${A:+b}", "${A:?c}", "a${A:=d}"]);
  assert.deepEqual(words("${A:-${B}} ${A:$$x}", { B: "in" }), ["${A:-in}", "${A:$x}"]);
  assert.deepEqual(words("${1}x ${A%%x}x ${}x ${A", { A: "1" }), ["x", "x", "x", "${A"]);
  assert.deepEqual(words("':${A}' $$A", { A: "1" }), [":1", "$A"]);
});

Deno.test("importSystemd() puts the folder of runtime files of a user in when it runs", () => {
  const path = "/home/u/.config/systemd/user/a.service";
  const user = importUnit(
    "ExecStart=/bin/x --socket %t/a.sock\nEnvironment=SOCK=%t/${b} X=1\nWorkingDirectory=%t\nEnvironmentFile=-%t/e",
    { path, context: { home: "/home/u" }, env: { XDG_RUNTIME_DIR: "/run/user/7" } },
  );
  const { run } = user.services.get("a")!;
  const last = run.split("\n").at(-1)!;
  assert.deepEqual(received(last, { env: { XDG_RUNTIME_DIR: "/run/user/7" } }), [
    "/bin/x",
    "--socket",
    "/run/user/7/a.sock",
  ]);
  assert.throws(() => received(`${run.split("\n")[0]}\n${last}`), /XDG_RUNTIME_DIR/);
  assert.match(run, /read_variables "\$\{XDG_RUNTIME_DIR\}"\/e$/m);
  assert.match(user.text, /SOCK = "\$\{XDG_RUNTIME_DIR\}\/\$\$\{b\}"/);
  assert.match(user.text, /working_dir = "\$\{XDG_RUNTIME_DIR\}"/);
  assert.equal(importUnit("ExecStart=/bin/x %t").services.get("a")?.run, "exec /bin/x /run");
});

Deno.test("importSystemd() names the home that it puts in, and says where a unit of a user is to lie", () => {
  const path = "/src/app/systemd/a.service";
  const strange = everything(importUnit("ExecStart=%h/bin/x", { path }));
  assert.match(strange, /2 ExecStart=.*%h = \/root.*~\/\.config\/systemd\/user/);
  assert.match(everything(importUnit("ExecStart=%h/bin/x")), /%h = \/root$/m);
  for (const target of ["default.target", "graphical-session.target"]) {
    const more = `[Install]\nWantedBy=${target}\n`;
    assert.match(
      everything(importUnit("ExecStart=/x", { path, more })),
      /1 a\.service: .*unit of a user.*root/,
    );
    assert.doesNotMatch(everything(importUnit("ExecStart=/x", { more })), /unit of a user/);
  }
});

Deno.test("importSystemd() knows units of a user by the paths that systemctl cat prints", () => {
  const text = "# /home/u/.config/systemd/user/a.service\n[Service]\nExecStart=%h/bin/x\n";
  const { services } = importAs(importSystemd, text, { path: "-", context: { home: "/home/u" } });
  assert.deepEqual([services.get("a")?.run, services.get("a")?.workingDir], ["exec /home/u/bin/x", "~"]);
});

const file = String.raw`MAIL_FROM=Shop Desk
URL=http://h/?a=1&b=2
  X = a rm -rf  
; no
# no
A="a b" c
B='it''s'
C="x\"y\\z\q\$HOME ${"`"}id${"`"}"
D=a\ b\
 cont
E="two
lines"
F=
G=$(touch /nowhere/x) $HOME
1X=no
export Y=no
nonsense
H=last`;

Deno.test("readerLines read a file of variables as systemd does, and run nothing of it", async () => {
  const path = await Deno.makeTempFile();
  await Deno.writeTextFile(path, file);
  const script = [...readerLines, `read_variables ${path}`, "exec env -0"].join("\n");
  const { stdout } = await new Deno.Command("/bin/sh", {
    args: ["-e", "-c", script],
    clearEnv: true,
    env: { PATH: "/usr/bin:/bin" },
  }).output();
  await Deno.remove(path);
  const env = new Map(
    new TextDecoder().decode(stdout).split("\0").map((pair) =>
      /^(\w*)=?([^]*)$/.exec(pair)!.slice(1) as [string, string]
    ),
  );
  const found = Object.fromEntries(
    [..."ABCDEFGHXY", "URL", "MAIL_FROM"].map((name) => [name, env.get(name)]),
  );
  assert.deepEqual(found, {
    MAIL_FROM: "Shop Desk",
    URL: "http://h/?a=1&b=2",
    X: "a rm -rf",
    A: "a bc",
    B: "its",
    C: 'x"y\\z\\q$HOME `id`',
    D: "a b cont",
    E: "two\nlines",
    F: "",
    G: "$(touch /nowhere/x) $HOME",
    H: "last",
    Y: undefined,
  });
});

Deno.test("importSystemd() tells lines of one reason once, and stages of the boot not at all", () => {
  const account = everything(importUnit(
    "ExecStart=/x\nProtectSystem=strict\nNice=5\nPrivateTmp=yes\nReadWritePaths=/a\nReadWritePaths=/b\nStandardInput=null",
    {
      more:
        "[Unit]\nAfter=network.target nss-lookup.target\nWants=network-online.target\nBefore=shutdown.target\n" +
        "Conflicts=shutdown.target\n" + install,
    },
  ));
  assert.equal(
    account,
    "1 a.service: \n" +
      "3 ProtectSystem, PrivateTmp (line 5), ReadWritePaths (lines 6, 7): svc gives a run its account and limits, and " +
      "walls it off no further: systemd-run or bubblewrap in the script could\n" +
      "4 Nice=5: svc sets no priorities: nice, ionice, chrt or taskset in front of the command do",
  );
});

Deno.test("importSystemd() tells of redirections, of standard input and of placeholders what is so", () => {
  const account = everything(importUnit(
    "ExecStart=/x 1>/dev/null 2>>/var/log/x <html> a>b\nStandardInput=tty\nUser=${PROJECT}\nWorkingDirectory=/home/<USER>/app",
  ));
  assert.match(account, /2 ExecStart=.*as arguments: "1>\/dev\/null", "2>>\/var\/log\/x";/);
  assert.match(account, /3 StandardInput=tty: its standard input is empty/);
  assert.match(account, /4 User=.*placeholder that was never filled in/);
  assert.match(account, /5 WorkingDirectory=.*placeholder that was never filled in/);
  assert.doesNotMatch(everything(importUnit("ExecStart=/x\nUser=me\nWorkingDirectory=/a@b")), /placeholder/);
});

Deno.test("importSystemd() lets live what a oneshot that remains has started", () => {
  const { tasks } = importUnit("Type=oneshot\nExecStart=/srv/ctl start\nRemainAfterExit=yes");
  assert.equal(tasks.get("a")?.killStrays, false);
  assert.equal(importUnit("Type=oneshot\nExecStart=/srv/ctl start").tasks.get("a")?.killStrays, true);
});

Deno.test("readCalendar() says of a single moment that cron has no field for it, and lists weekdays one by one", () => {
  for (const text of ["@1493187147", "@1493187147 UTC"]) {
    const read = readCalendar(text);
    assert.match("fault" in read ? read.fault : "", /one moment.*no field for$/);
  }
  const week = readCalendar("Mon,Wed,Fri 08:00");
  assert.deepEqual("fault" in week ? week : cronOfCalendar(week), { cron: "0 8 * * 1,3,5" });
});
