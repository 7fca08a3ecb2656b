/** What a job leaves behind lives on under cron, so it has to live on here. */

import assert from "node:assert/strict";
import { importCron } from "../../../../src/importers/import/cron/import_cron.ts";
import { importAs, told } from "../corpus.ts";

function entryOf(command: string, head = ""): { killStrays: boolean; notes: string } {
  const line = head === "" ? 1 : 2;
  const outcome = importAs(importCron, `${head === "" ? "" : `${head}\n`}* * * * * ${command}\n`, {
    path: "-",
  });
  return { killStrays: outcome.task(line).killStrays, notes: told(outcome.at(line)) };
}

Deno.test("importCron() lets live what goes to the background anywhere in a command", () => {
  const commands: [command: string, note: RegExp][] = [
    ["/srv/bin/fetch &", /its run ends at once/],
    ["/srv/bin/fetch &> /dev/null", /plain sh such as dash "&>" is "&" and a redirection/],
    ["/srv/bin/fetch &>> /srv/log", /plain sh/],
    ["nohup /srv/bin/fetch >/dev/null 2>&1 & echo started", /a part of it goes to the background/],
    ["/srv/bin/fetch >/dev/null & true", /a part of it/],
    ["cd /srv && (bin/fetch &)", /a part of it/],
    ["{ bin/fetch & }", /a part of it/],
    ["for i in 1 2; do bin/fetch $i & done", /a part of it/],
    ["curl http://h/?a=1&b=2", /a part of it/],
    ["wait; bin/fetch & :", /a part of it/],
    ["sh -c 'bin/fetch & echo \"x\"'", /a part of it/],
    ['su - app -c "nohup bin/fetch >/dev/null 2>&1 &"', /a part of it/],
    ["/usr/lib/lists/ctl start", /seems to start something that goes on without it/],
    ["/etc/init.d/lists restart > /dev/null 2>&1", /seems to start/],
    ["screen -dmS tick bin/tick", /seems to start/],
    ["tmux new-session -d -s tick bin/tick", /seems to start/],
    ["setsid -f bin/tick", /seems to start/],
    ["start-stop-daemon --start --background --exec /srv/x", /seems to start/],
    ["pm2 resurrect", /seems to start/],
    ["redis-server --daemonize yes", /seems to start/],
  ];
  for (const [command, note] of commands) {
    const found = entryOf(command);
    assert.equal(found.killStrays, false, command);
    assert.match(found.notes, note, command);
  }
});

Deno.test("importCron() leaves nothing behind for signs that mean something else", () => {
  const commands = [
    "a && b",
    "a >/dev/null 2>&1",
    "a >& /dev/null; b <&3",
    "echo 'a & b' \"c & d\" e\\&f",
    "a & b & wait",
    "a & wait $!; b",
    "x=$((1 & 3)); echo $x",
    "systemctl start x; supervisorctl restart y",
    "/srv/bin/report start-of-month",
    "a # b & c",
    "sh -c 'a && b'",
  ];
  for (const command of commands) {
    const found = entryOf(command);
    assert.equal(found.killStrays, true, command);
    assert.doesNotMatch(found.notes, /background|lives? on/, command);
  }
  assert.equal(entryOf("/srv/bin/fetch &> /dev/null", "SHELL=/bin/bash").killStrays, true);
  assert.equal(entryOf("/srv/bin/fetch &> /dev/null &", "SHELL=/bin/bash").killStrays, false);
});
