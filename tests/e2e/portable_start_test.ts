import assert from "node:assert/strict";
import { portableFile } from "../support/portable_file.ts";

const isRoot = Deno.uid() === 0;
const root = { ignore: !isRoot };

/** Says how it was started. */
const says = `
case "$*" in *"--config "*/none) exit ;; esac
printf '%s\\n' "$@"
echo "home $DENO_DIR update $DENO_NO_UPDATE_CHECK shim $DENO_DISABLE_NODE_SHIM password [\${SVC_PASSWORD-}] from [\${SVC_INPUT-}] path $PATH"
[ -z "\${SVC_INPUT-}" ] || { read -r password; echo "heard $password"; }
echo "called $(cat /proc/$$/comm)"
echo "program $SVC_PROGRAM of $SVC_PROGRAM_FILES files"
ls -l /proc/self/fd | sed -n 's/.* \\([0-9]*\\) -> \\(.*\\)/open \\1 \\2/p'
grep -E 'Sig(Blk|Ign):' /proc/self/status`;

interface Started {
  code: number;
  out: string;
  err: string;
}

async function start(
  program: string,
  env: Record<string, string>,
  args: string[] = ["version"],
): Promise<Started> {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args,
    clearEnv: true,
    env: { PATH: "/usr/bin:/bin", ...env },
    cwd: "/",
    stdin: "null",
  }).output();
  return { code, out: new TextDecoder().decode(stdout), err: new TextDecoder().decode(stderr) };
}

async function inPlace(work: (folder: string, program: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "svc-portable-" });
  try {
    await work(folder, await portableFile(folder, says));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function cacheIn(base: string): string {
  return `${base}/${[...Deno.readDirSync(base)].find(({ name }) => /^[0-9a-f]{16}$/.test(name))!.name}`;
}

Deno.test("the portable file unpacks once where this user alone may write, and starts from there", () =>
  inPlace(async (folder, program) => {
    for (
      const [env, base] of [
        [{ HOME: `${folder}/home` }, `${folder}/home/.cache/svc`],
        [{ HOME: `${folder}/home`, XDG_CACHE_HOME: `${folder}/xdg` }, `${folder}/xdg/svc`],
        [
          { HOME: `${folder}/home`, XDG_CACHE_HOME: "relative", SVC_CACHE: `${folder}/named` },
          `${folder}/named`,
        ],
      ] as const
    ) {
      const first = await start(program, env);
      assert.equal(first.code, 0, first.err);
      const cache = cacheIn(base);
      assert.equal(Deno.statSync(cache).mode! & 0o777, 0o700);
      assert.match(
        first.out,
        new RegExp(`^run\n--flag\n--allow-write\n--deny-write=/etc\n${cache}/program/main.js\nversion\n`),
      );
      assert.match(first.out, new RegExp(`home ${cache}/cache update 1 shim 1 .* path /usr/bin:/bin\n`));
      const { ino } = Deno.statSync(`${cache}/svc`);
      await start(program, env);
      assert.equal(Deno.statSync(`${cache}/svc`).ino, ino);
      assert.deepEqual([...Deno.readDirSync(base)].length, 1, "nothing is left of the unpacking");
    }
  }));

Deno.test("the portable file removes other versions that nobody has used for a week, and nothing runs from", () =>
  inPlace(async (folder, program) => {
    const base = `${folder}/home/.cache/svc`;
    const old = new Date(Date.now() - 9 * 86_400_000);
    const version = (name: string): string => `${base}/${name.repeat(16)}`;
    for (const name of ["a", "b", "c", "d", "e"]) {
      Deno.mkdirSync(version(name), { recursive: true, mode: 0o700 });
      Deno.utimeSync(version(name), old, old);
    }
    // One was used just now, one runs, one is kept by who has another use for its name.
    Deno.writeTextFileSync(`${version("b")}/used`, "");
    Deno.copyFileSync("/bin/sleep", `${version("c")}/svc`);
    Deno.writeTextFileSync(`${version("d")}/used`, "");
    Deno.utimeSync(`${version("d")}/used`, old, old);
    for (const name of ["b", "c"]) Deno.utimeSync(version(name), old, old);
    Deno.mkdirSync(`${base}/notes-of-somebody`);
    Deno.utimeSync(`${base}/notes-of-somebody`, old, old);
    const running = new Deno.Command(`${version("c")}/svc`, { args: ["60"] }).spawn();
    try {
      assert.equal((await start(program, { HOME: `${folder}/home` })).code, 0);
    } finally {
      running.kill("SIGKILL");
      await running.status;
    }
    const own = /^hash=([0-9a-f]{16})$/m.exec(
      new TextDecoder().decode(Deno.readFileSync(program).subarray(0, 2000)),
    )![1]!;
    const kept = ["b".repeat(16), "c".repeat(16), own, "notes-of-somebody"].sort();
    assert.deepEqual([...Deno.readDirSync(base)].map(({ name }) => name).sort(), kept);
    assert.equal(Deno.statSync(`${base}/${own}/used`).isFile, true);
  }));

Deno.test("the portable file makes anew what is not whole, and says so where it can't", () =>
  inPlace(async (folder, program) => {
    const env = { HOME: `${folder}/home` };
    await start(program, env);
    const base = `${folder}/home/.cache/svc`;
    for (const name of ["svc", "program/main.js"]) {
      Deno.truncateSync(`${cacheIn(base)}/${name}`);
      const { code, out } = await start(program, env);
      assert.equal(code, 0, name);
      assert.match(out, /^run\n/, name);
    }
    // A cleaner takes what nobody has read for long.
    Deno.removeSync(`${cacheIn(base)}/program/late.js`);
    assert.equal((await start(program, env)).code, 0);
    const { size } = Deno.statSync(`${cacheIn(base)}/program/late.js`);
    // What the system had not yet written when the power went is empty.
    Deno.truncateSync(`${cacheIn(base)}/program/late.js`);
    assert.equal((await start(program, env)).code, 0);
    assert.equal(Deno.statSync(`${cacheIn(base)}/program/late.js`).size, size);
    assert.ok(size > 0);
    Deno.writeTextFileSync(`${folder}/file`, "");
    const nowhere = await start(program, { SVC_CACHE: `${folder}/file/x` });
    assert.equal(nowhere.code, 1);
    assert.match(
      nowhere.err,
      /^svc: cannot make folder ".*file\/x" to unpack itself \(Not a directory\): name a folder in SVC_CACHE .*\n$/,
    );
    assert.match(
      (await start(program, { SVC_CACHE: "here" })).err,
      /SVC_CACHE is "here": give an absolute path/,
    );
  }));

Deno.test("the portable file says that the folder is gone in which it is started", () =>
  inPlace(async (folder, program) => {
    const { code, stderr } = await new Deno.Command("sh", {
      args: ["-c", `mkdir "$1/gone" && cd "$1/gone" && rmdir "$1/gone" && "$0" version`, program, folder],
      clearEnv: true,
      env: { PATH: "/usr/bin:/bin", HOME: folder },
    }).output();
    assert.equal(code, 1);
    const said = "svc: the folder that you are in has been removed: go to another with cd, and try again\n";
    assert.ok(new TextDecoder().decode(stderr).endsWith(said));
  }));

Deno.test("portable files that start at once where something is missing don't get in each other's way", () =>
  inPlace(async (folder, program) => {
    const env = { HOME: `${folder}/home` };
    const base = `${folder}/home/.cache/svc`;
    for (const lose of [() => {}, () => Deno.removeSync(`${cacheIn(base)}/program/late.js`)]) {
      lose();
      for (const { code, err } of await Promise.all(Array.from({ length: 8 }, () => start(program, env)))) {
        assert.equal(code, 0, err);
      }
      assert.deepEqual([...Deno.readDirSync(base)].length, 1, "nothing is left of the unpacking");
    }
  }));

Deno.test("the portable file tells its program where it is, also when it was called by a relative path", () =>
  inPlace(async (folder, program) => {
    const { stdout } = await new Deno.Command("/bin/sh", {
      args: ["-c", "./svc version"],
      cwd: folder,
      env: { HOME: `${folder}/home` },
      stdin: "null",
    }).output();
    assert.match(new TextDecoder().decode(stdout), new RegExp(`^program ${program} of 2 files$`, "m"));
    assert.match(new TextDecoder().decode(stdout), /^called svc$/m, "what pgrep and top know it by");
  }));

Deno.test("the portable file says before it unpacks itself that this is no system of glibc", () =>
  inPlace(async (folder) => {
    // Where a program begins stands by what it is loaded.
    const program = await portableFile(folder, "exit\n/lib64/ld-nowhere.so.9\n");
    const { code, err } = await start(program, { HOME: `${folder}/home` });
    assert.equal(code, 1);
    assert.match(
      err,
      /^svc: this program is for Linux with glibc .* there is no \/lib64\/ld-nowhere\.so\.9 here: .*\n$/,
    );
    assert.throws(() => Deno.statSync(`${folder}/home`), Deno.errors.NotFound);
  }));

Deno.test("the portable file says that too few files may be open, where the runtime can't raise that", () =>
  inPlace(async (folder) => {
    const program = await portableFile(folder, "echo started");
    const limited = async (limit: string) => {
      const { code, stdout, stderr } = await new Deno.Command("/bin/sh", {
        args: ["-c", `ulimit ${limit}; exec "$0" version`, program],
        env: { HOME: `${folder}/home` },
        stdin: "null",
      }).output();
      return { code, out: new TextDecoder().decode(stdout), err: new TextDecoder().decode(stderr) };
    };
    const few = await limited("-n 20");
    assert.equal(few.code, 1);
    assert.match(
      few.err,
      /^svc: no more than 20 files may be open here \(ulimit -n\), and svc needs 64: raise .*\n$/,
    );
    assert.throws(() => Deno.statSync(`${folder}/home`), Deno.errors.NotFound);
    assert.equal((await limited("-n 64")).out, "started\n");
    assert.equal((await limited("-S -n 20")).out, "started\n", "the runtime raises it");
  }));

Deno.test("the portable file says why what it unpacked does not run, and leaves nothing of it", () =>
  inPlace(async (folder) => {
    const lacking = "error while loading shared libraries: libgcc_s.so.1: cannot open";
    const program = await portableFile(folder, "exit", {
      version: `printf '%s\\n' "${lacking}" more >&2; exit 127`,
    });
    const { code, err } = await start(program, { HOME: `${folder}/home` });
    assert.equal(code, 1);
    assert.match(
      err,
      /^svc: cannot run what it unpacked .* needs glibc .* and libgcc; .*libgcc_s\.so\.1: cannot open\n$/,
    );
    assert.deepEqual([...Deno.readDirSync(`${folder}/home/.cache/svc`)], []);
  }));

Deno.test(
  "a read-only disk and one where nothing may run are told in a line, with the cure",
  root,
  () =>
    inPlace(async (_, program) => {
      const said = async (mount: string): Promise<string> => {
        const script = `mount -t tmpfs -o ${mount} t /mnt && HOME=/mnt exec "$0" version`;
        const { code, stderr } = await new Deno.Command("unshare", {
          args: ["-m", "/bin/sh", "-c", script, program],
          stdin: "null",
        }).output();
        assert.equal(code, 1, mount);
        return new TextDecoder().decode(stderr);
      };
      assert.match(
        await said("ro"),
        /^svc: cannot make folder "\/mnt\/\.cache\/svc" to unpack itself \(Read-only file system\): .*SVC_CACHE=\/var\/lib\/svc\/program\n$/,
      );
      assert.match(await said("noexec"), /^svc: cannot run .* is it mounted noexec\? .*SVC_CACHE\n$/);
    }),
);

Deno.test(
  "a full disk leaves nothing of the portable file behind",
  root,
  () =>
    inPlace(async (folder, program) => {
      const script =
        `mount -t tmpfs -o size=4k t /mnt && for i in 1 2; do SVC_CACHE=/mnt/c "$0" version; echo "rc $?"; done; find /mnt`;
      const { stdout, stderr } = await new Deno.Command("unshare", {
        args: ["-m", "/bin/sh", "-c", script, program],
        stdin: "null",
      }).output();
      const out = new TextDecoder().decode(stdout);
      assert.match(out, /^rc 1\nrc 1\n\/mnt\n(?:\/mnt\/c\n)?$/, new TextDecoder().decode(stderr));
      assert.match(new TextDecoder().decode(stderr), /^(svc: .*is there room for \d+ MB\?.*\n){2}$/);
      assert.ok(folder);
    }),
);

Deno.test(
  "the portable file executes nothing that another user could have put there",
  root,
  () =>
    inPlace(async (folder, program) => {
      const mark = `${folder}/mark`;
      const plant = (cache: string): void => {
        Deno.mkdirSync(`${cache}/program`, { recursive: true });
        Deno.writeTextFileSync(`${cache}/svc`, `#!/bin/sh\necho planted > ${mark}\n`, { mode: 0o755 });
        Deno.writeTextFileSync(`${cache}/program/main.js`, "");
      };
      const hash = /^hash=([0-9a-f]{16})$/m.exec(
        new TextDecoder().decode(Deno.readFileSync(program).subarray(0, 2000)),
      )![1];
      const cases: [string, (base: string) => void][] = [
        ["his folder", (base) => (plant(`${base}/${hash}`), own(base))],
        [
          "a folder above is his",
          (base) => (plant(`${base}/${hash}`), Deno.chownSync(folder + "/c", 12345, 12345)),
        ],
        ["everybody may write", (base) => (plant(`${base}/${hash}`), Deno.chmodSync(base, 0o777))],
        [
          "his file in our folder",
          (base) => (plant(`${base}/${hash}`), Deno.chownSync(`${base}/${hash}/svc`, 12345, 12345)),
        ],
        ["his link", (base) => {
          plant(`${folder}/c/his/${hash}`);
          own(`${folder}/c/his`);
          Deno.symlinkSync(`${folder}/c/his`, base);
        }],
      ];
      function own(path: string): void {
        new Deno.Command("chown", { args: ["-R", "12345:12345", path] }).outputSync();
      }
      for (const [what, prepare] of cases) {
        Deno.mkdirSync(`${folder}/c`);
        const base = `${folder}/c/cache`;
        if (what !== "his link") Deno.mkdirSync(base, { mode: 0o700 });
        prepare(base);
        const named = await start(program, { SVC_CACHE: base });
        assert.equal(named.code, 1, what);
        assert.match(named.err, /^svc: will not run from ".*" \(SVC_CACHE\): /, what);
        Deno.removeSync(`${folder}/c`, { recursive: true });
      }
      assert.throws(() => Deno.statSync(mark));
    }),
);

Deno.test("a daemon's start names where it may write, and keeps its caller's affairs from it", () =>
  inPlace(async (folder, program) => {
    const home = { HOME: `${folder}/home` };
    const flag = async (args: string[], env: Record<string, string> = {}): Promise<string> => {
      const { out } = await start(program, { ...home, ...env }, args);
      return out.split("\n").filter((line) => /^--(allow|deny)-write/.test(line)).join(" ");
    };
    const all = "--allow-write --deny-write=/etc";
    for (
      const [args, env, expected] of [
        [["daemon", "--data", "/d"], {}, "--allow-write=/d"],
        [["daemon", "-c", "/x/svc.toml"], {}, "--allow-write=/x/.svc"],
        [["-c", "/x/svc.toml", "daemon", "-p", "0"], {}, "--allow-write=/x/.svc"],
        [["daemon", "--config=/etc/svc/svc.toml"], {}, "--allow-write=/var/lib/svc"],
        [["daemon"], { SVC_CONFIG: "x/svc.toml" }, "--allow-write=/x/.svc"],
        [["daemon", "-c", "/x/svc.toml"], { SVC_DATA: "/y", SVC_SOCKET: "/z/s" }, "--allow-write=/y,/z"],
        [["daemon", "--data", "/d"], { NOTIFY_SOCKET: "/run/n" }, "--allow-write=/d,/run/n"],
        [["daemon", "--data", "/d,e"], {}, all],
        [["daemon", "--data", `/${"d".repeat(95)}`], {}, all],
        [["daemon", "--what", "--data", "/d"], {}, all],
        [["backup", "daemon"], {}, all],
      ] as const
    ) {
      assert.equal(await flag([...args], env), expected, args.join(" "));
    }
    const secret = await start(program, { ...home, SVC_PASSWORD: "a 'b' $c" }, ["daemon", "--data", "/d"]);
    assert.match(secret.out, /password \[\] from \[stdin\]/);
    assert.match(secret.out, /^heard a 'b' \$c$/m);
    const list = await start(program, { ...home, SVC_PASSWORD: "kept" }, ["list"]);
    assert.match(list.out, /password \[kept\] from \[\]/);
  }));

Deno.test("a daemon's start lets go of what its caller has open", () =>
  inPlace(async (folder, program) => {
    const script = `exec 5> "$1/five"; exec "$0" daemon --data /d`;
    const { stdout } = await new Deno.Command("/bin/sh", {
      args: ["-c", script, program, folder],
      env: { HOME: `${folder}/home` },
      stdin: "null",
    }).output();
    const out = new TextDecoder().decode(stdout);
    assert.match(out, /^open 1 /m);
    assert.doesNotMatch(out, /five/);
    if (!isThere("/bin/bash")) return;
    const high = await new Deno.Command("/bin/bash", {
      args: ["-c", `exec 77> "$1/five"; exec "$0" daemon --data /d`, program, folder],
      env: { HOME: `${folder}/home` },
      stdin: "null",
    }).output();
    assert.doesNotMatch(new TextDecoder().decode(high.stdout), /five/);
    assert.match(new TextDecoder().decode(high.stdout), /^open 2 pipe/m, "its own are kept");
  }));

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
