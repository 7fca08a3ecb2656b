import assert from "node:assert/strict";
import { startDaemonProcess, svcCommand } from "../support/daemon_process.ts";
import { needs } from "../support/needs.ts";

const config = `
[tasks.backup-db]
run = "true"
cron = "0 2 * * *"
[tasks.greet]
run = "true"
[[tasks.greet.params]]
option = "--name="
[services.web]
run = "exec sleep 600"
`;

/** What is typed, and what each shell must offer for it. */
const cases: [line: string, offered: string[]][] = [
  ["svc li", ["list"]],
  ["svc list --fai", ["--failing"]],
  ["svc runs --sort sta", ["start_at", "status"]],
  ["svc run ", ["backup-db", "greet"]],
  ["svc run b", ["backup-db"]],
  ["svc --json logs w", ["web"]],
  ["svc run greet --param n", ["name="]],
  ["svc validate svc.to", ["svc.toml"]],
];

/** A folder with the program under its name, and a daemon. */
async function prepared(): Promise<
  { folder: string; env: Record<string, string>; end: () => Promise<void> }
> {
  const daemon = await startDaemonProcess(config);
  const { folder } = daemon;
  const bin = `${folder}/bin`;
  await Deno.mkdir(bin);
  const words = svcCommand().map((word) => `'${word}'`).join(" ");
  await Deno.writeTextFile(`${bin}/svc`, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  const { DENO_COVERAGE_DIR: _, ...own } = Deno.env.toObject();
  return {
    folder,
    env: {
      ...own,
      PATH: `${bin}:${own.PATH}`,
      LC_ALL: "C.UTF-8",
      SVC_CONFIG: `${folder}/svc.toml`,
      TERM: "dumb",
    },
    end: async () => {
      await daemon.end();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** What a shell prints for a script, with `$1` as the line that is typed. */
async function said(
  shell: string[],
  line: string,
  { folder, env }: { folder: string; env: Record<string, string> },
): Promise<string[]> {
  const [program = "", ...args] = shell;
  const { stdout, stderr } = await new Deno.Command(program, {
    args: [...args, line],
    cwd: folder,
    clearEnv: true,
    env,
    stdin: "null",
    signal: AbortSignal.timeout(30_000),
  }).output();
  const decoder = new TextDecoder();
  assert.equal(decoder.decode(stderr), "", line);
  return decoder.decode(stdout).split("\n").filter((text) => text !== "").map((text) => text.split("\t")[0]!)
    .sort();
}

// As readline calls it: what stands behind a "=" is a word of its own.
const bash = `
source <(svc completions bash)
COMP_LINE=$1 COMP_POINT=\${#1}
read -ra COMP_WORDS <<< "$1"
[[ $1 == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
complete -p svc > /dev/null || exit 1
_svc_complete svc
printf '%s\\n' "\${COMPREPLY[@]}"
`;

// The completion system wants a terminal; what the script hands over to it is caught here.
const zsh = `
compdef() { }
_describe() { local name=$3 one; for one in "\${(@P)name}"; do
  one=\${one//\\\\:/$'\\a'}; print -r -- "\${\${one%%:*}//$'\\a'/:}" | grep -e "^\${words[CURRENT]}"; done; }
_files() { print -rl -- \${words[CURRENT]}*(N) }
compset() { return 1 }
source <(svc completions zsh)
words=("\${(@s: :)1}")
CURRENT=$#words
_svc
`;

for (
  const [shell, command] of [
    ["bash", ["bash", "--norc", "-c", bash, "bash"]],
    ["zsh", ["zsh", "-f", "-c", zsh, "zsh"]],
    ["fish", ["fish", "--no-config", "-c", "svc completions fish | source; complete -C $argv[1]"]],
  ] as const
) {
  Deno.test({
    name: `svc completions ${shell} offers in a real shell what may stand at the cursor`,
    ignore: shell !== "bash" && !needs[shell].isThere,
    async fn() {
      const place = await prepared();
      try {
        for (const [line, offered] of cases) {
          assert.deepEqual(await said([...command], line, place), offered, `${shell}: ${line}`);
        }
      } finally {
        await place.end();
      }
    },
  });
}
