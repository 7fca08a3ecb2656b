import assert from "node:assert/strict";
import { catalog } from "../../src/cli/catalog.ts";
import { OutputClosed } from "../../src/cli/terminal.ts";
import { Fault } from "../../src/fault.ts";
import { call, memoryTerminal } from "./memory.ts";

/** Answers every request with one body, and notes what was asked. */
function answering(body: object, status = 200): { fetch: typeof fetch; asked: string[] } {
  const asked: string[] = [];
  const answer: typeof fetch = (input, init) => {
    asked.push(`${init?.method ?? "GET"} ${input}`);
    return Promise.resolve(Response.json(body, { status }));
  };
  return { fetch: answer, asked };
}

Deno.test("runCli() alone, or asked for help, shows all commands", async () => {
  for (const words of [[], ["--help"], ["-h"], ["help"], ["help", "help"], ["--json"]]) {
    const { code, stdout, stderr } = await call(words);
    assert.equal(code, 0, words.join(" "));
    assert.equal(stderr, "");
    for (const { name, summary } of catalog) {
      assert.ok(stdout.includes(`  ${name} `) && stdout.includes(summary));
    }
  }
});

Deno.test("runCli() gives each command a help with synopsis, options by group and two examples", async () => {
  for (const { name, summary } of catalog) {
    const { code, stdout } = await call([name, "--help"]);
    assert.equal(code, 0, name);
    assert.ok(stdout.startsWith(`${summary}\n\nUsage:\n  svc ${name}`), stdout);
    assert.match(stdout, /\n {2}-h, --help +show this help\n/);
    const examples = stdout.split("Examples:\n")[1]?.trimEnd().split("\n") ?? [];
    assert.equal(examples.length, 2, name);
    assert.ok(examples.every((example) => example.startsWith(`  svc ${name}`)), examples.join("\n"));
    for (const line of stdout.split("\n")) assert.ok(line.length <= 100, line);
    assert.equal((await call(["help", name])).stdout, stdout);
  }
});

Deno.test("runCli() tells in help the exit codes that are a command's own", async () => {
  const own: [name: string, codes: string[]][] = [
    ["run", ["the run's", "1", "3", "130"]],
    ["drain", ["0", "130"]],
    ["handover", ["0", "1"]],
    ["upgrade", ["0", "1"]],
    ["validate", ["0", "1"]],
    ["doctor", ["0", "1"]],
    ["password", ["1", "5"]],
    ["stop", ["1"]],
    ["list", []],
    ["help", ["0", "1", "2", "3"]],
  ];
  for (const [name, codes] of own) {
    const { stdout } = await call(name === "help" ? [name] : [name, "--help"]);
    const section = stdout.split("Exit codes:\n")[1]?.split("\n\n")[0]?.split("\n") ?? [];
    assert.deepEqual(section.map((line) => line.trim().split(/ {2,}/)[0]), codes, name);
  }
  const { stdout } = await call(["service", "--help"]);
  assert.match(stdout, /what to do: install, uninstall or status\n/);
  assert.match(stdout, / --name <NAME> +what the service is called \(else svc\)\n/);
});

Deno.test("runCli() exits with 2 and one line for words that make no sense", async () => {
  const refused: [words: string[], told: RegExp][] = [
    [["lst"], /unknown command "lst": did you mean "list"\?/],
    [["help", "lst"], /unknown command "lst": did you mean "list"\?/],
    [["run", "a", "--detatch"], /unknown option "--detatch": did you mean "--detach"\?/],
    [["runs", "--sort", "stats"], /"stats" is invalid: choose one of created_at, task_name, /],
    [["service", "instal"], /action "instal" is invalid: choose one of install, uninstall, status; /],
    [["backup", ""], /cannot back up to "": name a file/],
    [["restore", ""], /cannot restore "": name the file/],
    [["drain", "now"], /too many arguments/],
    [["frobnicate"], /unknown command "frobnicate": "svc help" lists all/],
    [["list", "--jsn"], /unknown option "--jsn": did you mean "--json"\?/],
    [["--jsn", "list"], /unknown option "--jsn": did you mean "--json"\?/],
    [["run"], /missing required argument "TASK"; "svc run --help" tells more/],
    [["version", "extra"], /too many arguments/],
    [["list", "-p", "70000"], /"70000" is invalid: give a whole number from 0 to 65535/],
    [["-p", "x", "list"], /"x" is invalid: give a whole number/],
    [["daemon", "--log-level", "loud"], /"loud" is invalid: choose one of trace, debug, info, warn, error/],
    [["run", "a", "--param", "x"], /--param "x" has no value: write --param NAME=VALUE/],
    [["run", "a", "--param", "=x"], /--param "=x" has no value/],
    [["run", "a", "--param", "x=1", "--param", "x=2"], /--param x stands twice/],
    [["runs", "--asc", "--desc"], /cannot be used with/],
    [["runs", "--failed", "--status", "ok"], /--failed and --status/],
    [["runs", "--limit", "0"], /from 1 to 1000/],
    [["logs", "web", "--since", "soon"], /--since is "soon": give a duration/],
    [["next", "a", "--cron", "@daily"], /can't stand together/],
    [["next", "a", "--timezone", "UTC"], /--timezone goes with --cron/],
    [["next", "--cron", "61 * * * *"], /cannot read --cron "61 \* \* \* \*"/],
    [["next", "--cron", "@daily", "--timezone", "Mars/Base"], /unknown time zone "Mars\/Base"/],
    [["--url", "ftp://x", "list"], /--url is "ftp:\/\/x": give an address/],
    [["list", "--port", "0"], /on which port the daemon listens/],
  ];
  for (const [words, told] of refused) {
    const { code, stdout, stderr } = await call(words);
    assert.match(stderr, told);
    assert.equal(code, 2, words.join(" "));
    assert.equal(stdout, "");
    assert.match(stderr, /^svc: [^\n]*[^.\n]\n$/, "one line, without a full stop");
  }
});

Deno.test("runCli() takes global flags before and after the command, the later one wins", async () => {
  const seen: string[] = [];
  const locals = {
    runDaemon: (flags: object) => {
      seen.push(JSON.stringify(flags));
      return Promise.resolve(7);
    },
  };
  assert.equal((await call(["-c", "a.toml", "-p", "0", "daemon", "--data", "d"], { locals })).code, 7);
  await call(["daemon", "-c", "a.toml", "--data", "d", "--port", "0"], { locals });
  await call(["-c", "b.toml", "daemon", "-c", "a.toml", "--data=d", "-p0"], { locals });
  assert.deepEqual(
    seen.map((flags) => JSON.parse(flags)),
    [0, 1, 2].map(() => ({ config: "a.toml", data: "d", port: 0 })),
  );
});

Deno.test("runCli() speaks over TCP with --url, SVC_URL, --host or --port, else over the socket", async () => {
  const asked = async (words: string[], env: Record<string, string> = {}): Promise<string | undefined> => {
    const daemon = answering({ tasks: [] });
    await call([...words, "list"], { fetch: daemon.fetch, terminal: memoryTerminal({ env }) });
    return daemon.asked[0];
  };
  assert.equal(await asked([]), "GET http://localhost/api/tasks");
  assert.equal(await asked(["--url", "http://box:1/"]), "GET http://box:1/api/tasks");
  assert.equal(await asked(["--url", "https://box/svc/"]), "GET https://box/svc/api/tasks");
  assert.equal(await asked([], { SVC_URL: "http://env:2" }), "GET http://env:2/api/tasks");
  assert.equal(
    await asked(["-p", "9000"], { SVC_URL: "http://env:2" }),
    "GET http://127.0.0.1:9000/api/tasks",
  );
  assert.equal(await asked(["--host", "::1"]), "GET http://[::1]:8420/api/tasks");
  assert.equal(await asked(["-p", "9000", "--data", "d"]), "GET http://localhost/api/tasks");
});

Deno.test("runCli() exits with 3 where no daemon answers, and says where it looked", async () => {
  const refuse: typeof fetch = () => Promise.reject(new TypeError("connection refused"));
  const socket = await call(["list"], { fetch: refuse });
  assert.equal(socket.code, 3);
  assert.match(
    socket.stderr,
    /^svc: no daemon answers at control socket "\/data\/svc.sock": start one with "svc daemon"/,
  );
  const tcp = await call(["list", "--url", "http://box:1"], { fetch: refuse });
  assert.equal(tcp.code, 3);
  assert.match(tcp.stderr, /no daemon answers at http:\/\/box:1: check the address, or leave --url out/);
  const lost = await call(["list"], {
    locals: { findDaemon: () => Promise.reject(new Fault("not_found", "no configuration file found")) },
  });
  assert.equal(lost.code, 3);
  assert.match(lost.stderr, /cannot tell where a daemon is: no configuration file found/);
});

Deno.test("runCli() tells a problem document in one line, and a line for each further error", async () => {
  const problem = {
    status: 422,
    detail: "2 errors in the configuration",
    errors: [{ location: "a.toml:1:2", message: "no such key" }, {
      location: "a.toml:3:4",
      message: "too\nlong",
    }],
  };
  const daemon = answering(problem, 422);
  const { code, stderr } = await call(["reload"], { fetch: daemon.fetch });
  assert.equal(code, 1);
  assert.equal(
    stderr,
    "svc: 2 errors in the configuration\n  a.toml:1:2: no such key\n  a.toml:3:4: too long\n",
  );
  const odd: typeof fetch = () => Promise.resolve(new Response("<html>", { status: 502 }));
  const other = await call(["list"], { fetch: odd });
  assert.equal(other.code, 1);
  assert.match(other.stderr, /answers with status 502 and no reason: is it a svc daemon\?/);
});

Deno.test("runCli() tells an unexpected error without a stack, unless debugging", async () => {
  const locals = { configSchema: () => Promise.reject(new RangeError("oops")) };
  const plain = await call(["schema"], { locals });
  assert.deepEqual(plain, { code: 1, stdout: "", stderr: "svc: internal error: oops\n" });
  for (const level of ["debug", "trace"]) {
    const terminal = memoryTerminal({ env: { SVC_LOG_LEVEL: level } });
    assert.match((await call(["schema"], { locals, terminal })).stderr, /RangeError: oops\n +at /);
  }
});

Deno.test("runCli() calls what the system refuses no fault of its own, and says the cure", async () => {
  const refusals = [
    [
      new Deno.errors.PermissionDenied("Permission denied (os error 13): mkdir '/root/.svc'"),
      /^svc: the system refuses: Permission denied: mkdir '\/root\/\.svc'; run svc as a user who may do that, or .*\n$/,
    ],
    [
      new Error("Read-only file system (os error 30)"),
      /^svc: the system refuses: Read-only file system; name a place that can be written, with -c or --data\n$/,
    ],
    [
      new Error("Input/output error (os error 5), open '/x'"),
      /^svc: the system refuses: Input\/output error, open '\/x'\n$/,
    ],
    // The program's own bounds, in words that name no flag of the runtime's.
    [
      new Deno.errors.NotCapable('Requires read access to "/x", run again with the --allow-read flag'),
      /^svc: svc has no right to read "\/x": name another place, with -c, --data or --socket\n$/,
    ],
    [
      new Deno.errors.NotCapable('Requires all access to "/dev", run again with the --allow-all flag'),
      /^svc: svc takes nothing that lies in "\/dev": name another place, with -c, --data or --socket\n$/,
    ],
  ] as const;
  for (const [error, told] of refusals) {
    const { code, stderr } = await call(["schema"], {
      locals: { configSchema: () => Promise.reject(error) },
    });
    assert.equal(code, 1);
    assert.match(stderr, told);
  }
});

Deno.test("runCli() ends quietly when nobody reads", async () => {
  const terminal = memoryTerminal();
  terminal.out.write = () => {
    throw new OutputClosed("closed");
  };
  assert.deepEqual(await call(["version"], { terminal }), { code: 0, stdout: "", stderr: "" });
});

Deno.test("svc version says its version, in JSON too", async () => {
  assert.equal((await call(["version"])).stdout, "svc 9.8.7 (source)\n");
  assert.equal((await call(["--version"])).stdout, "svc 9.8.7 (source)\n");
  assert.deepEqual(JSON.parse((await call(["version", "--json"])).stdout), {
    schema_version: 1,
    version: "9.8.7",
    commit: "source",
    schema: 7,
  });
});

Deno.test("svc validate exits with 1 for a file with errors", async () => {
  const problem = { file: "/a.toml", line: 1, column: 2, key: "x", message: "no such key" };
  const validation = { schema_version: 1 as const, valid: false, errors: [problem], warnings: [] };
  const paths: string[] = [];
  const locals = {
    validate: (path: string) => {
      paths.push(path);
      return Promise.resolve(validation);
    },
    renderValidation: () => Promise.resolve(["/a.toml:1:2: x: no such key"]),
  };
  const told = await call(["validate", "/a.toml"], { locals });
  assert.equal(told.code, 1);
  assert.equal(told.stdout, "/a.toml:1:2: x: no such key\n");
  assert.equal(told.stderr, 'svc: "/a.toml" has 1 error\n');
  const json = await call(["validate", "--json"], { locals });
  assert.equal(json.code, 1);
  assert.deepEqual(JSON.parse(json.stdout), validation);
  assert.deepEqual(paths, ["/a.toml", "/etc/svc.toml"]);
});

Deno.test("svc next --cron needs no daemon, and notes what daylight saving does", async () => {
  const now = () => Date.UTC(2027, 2, 26, 12);
  const words = ["next", "--cron", "30 2 * * *", "--timezone", "Europe/Berlin", "--count", "3"];
  const { code, stdout } = await call(words, { now });
  assert.equal(code, 0);
  assert.equal(
    stdout,
    [
      "Sat 2027-03-27 02:30:00 CET   in 13 h",
      "Sun 2027-03-28 03:00:00 CEST  in 1 d   02:30 does not exist that day: runs at 03:00",
      "Mon 2027-03-29 02:30:00 CEST  in 2 d",
      "",
    ].join("\n"),
  );
  const json = JSON.parse((await call([...words, "--json", "--from", "2027-03-28"], { now })).stdout);
  assert.equal(json.description, "daily at 02:30");
  assert.deepEqual(json.ticks[0], {
    at: "2027-03-28T01:00:00.000Z",
    local: "2027-03-28T03:00:00+02:00",
    note: "gap",
  });
});

Deno.test("svc demo runs a daemon on the file that it prepared", async () => {
  const seen: object[] = [];
  const { code, stderr } = await call(["demo", "/tmp/try", "-p", "0"], {
    locals: {
      prepareDemo: (folder) => Promise.resolve(`${folder}/svc.toml`),
      runDaemon: (flags) => {
        seen.push(flags);
        return Promise.resolve(0);
      },
    },
  });
  assert.equal(code, 0);
  assert.deepEqual(seen, [{ port: 0, config: "/tmp/try/svc.toml" }]);
  assert.match(stderr, /running "\/tmp\/try\/svc.toml"/);
});
