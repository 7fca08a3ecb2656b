/** What a kernel printed whose first process was a script of ours. */
export interface Session {
  /** Of lines "@@ NAME VALUE" the values by their names, the last one of each; several lines are joined. */
  said: Map<string, string>;
  /** All that was printed, by the kernel too. */
  console: string;
}

const program = "/usr/bin/linux.uml";

/** Whether a kernel of its own can be booted here: Debian's user-mode-linux, which needs no rights and no KVM. */
export async function canBoot(): Promise<boolean> {
  try {
    return (await boot("echo @@ booted yes", { patience: 30_000 })).said.get("booted") === "yes";
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return false;
  }
}

/**
 * Boots a kernel whose root is this machine's, read-only, and whose first process is `script`, for bash: it finds /proc,
 * /sys, a control group tree of the second version with its controllers, and /run to write in. It is ended after
 * `patience` ms. `env` is for the script.
 */
export async function boot(
  script: string,
  { patience, env = {} }: { patience: number; env?: Record<string, string> },
): Promise<Session> {
  const folder = await Deno.makeTempDir({ prefix: "svc-uml-" });
  try {
    await Deno.writeTextFile(`${folder}/env`, shellText(env));
    await Deno.writeTextFile(`${folder}/script`, script);
    await Deno.writeTextFile(`${folder}/init`, init.replaceAll("FOLDER", folder), { mode: 0o755 });
    const child = new Deno.Command(program, {
      args: [
        ...["mem=800M", "rootfstype=hostfs", "rootflags=/", "ro", `init=${folder}/init`],
        ...["con=null", "con0=null,fd:1", "con1=null"],
      ],
      // Its memory is a file there: a small /dev/shm would not do.
      env: { TMPDIR: folder, HOME: folder },
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const deadline = setTimeout(() => child.kill("SIGKILL"), patience);
    try {
      const { stdout } = await child.output();
      const console = new TextDecoder().decode(stdout).replaceAll("\r", "");
      return { said: marks(console), console };
    } finally {
      clearTimeout(deadline);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const init = `#!/bin/bash
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t tmpfs run /run
mount -t cgroup2 cgroup /sys/fs/cgroup
ip link set lo up
export HOME=/run/home TMPDIR=/run/tmp PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
mkdir -p $HOME $TMPDIR
cd /run
. FOLDER/env
. FOLDER/script
echo o > /proc/sysrq-trigger
sleep 10
`;

function shellText(env: Record<string, string>): string {
  return Object.entries(env).map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`)
    .join(
      "",
    );
}

function marks(console: string): Map<string, string> {
  const said = new Map<string, string>();
  for (const [, name = "", value = ""] of console.matchAll(/^@@ (\w+) ?(.*)$/gm)) {
    said.set(name, said.has(name) ? `${said.get(name)}\n${value}` : value);
  }
  return said;
}
