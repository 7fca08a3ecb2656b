import { sizeWords } from "../../core/size.ts";
import { Fault, messageOf } from "../../fault.ts";
import type { BackupAnswer } from "../client.ts";
import { type Context, defineCommand, writeJson, writeLines } from "../command.ts";
import { exit, Unreachable, UsageError } from "../failures.ts";
import { refuseTaken, writeNewFile } from "../new_file.ts";

interface Options {
  force?: boolean;
}

const attempt = "back up";

/** `svc backup FILE`: the daemon's database as one file, consistent though the daemon works on. */
export const command = defineCommand<Options>({
  needs: "client",
  define: (command) =>
    command.argument("<FILE>", "the file to write; - is standard output")
      .option("--force", "replace a file that is there"),
  examples: ["svc backup /srv/backups/svc.db --force", "svc backup - | zstd > svc.db.zst"],
  async run(context, { args: [file = ""], options }) {
    if (file === "") throw new UsageError('cannot back up to "": name a file, or - for standard output');
    if (file === "-") return await toOutput(context);
    const force = options.force ?? false;
    if (!force) refuseTaken(file, attempt);
    const client = await context.connect();
    const answer = await client.backup();
    const bytes = await writeNewFile(file, whole(answer), { force, attempt });
    if (context.flags.json) writeJson(context, { file, bytes });
    else {
      const where = client.isDefault ? "" : ` of the daemon at ${client.place}`;
      writeLines(context, [`backed up the database${where} to ${file}, ${sizeWords(bytes)}`]);
    }
    return exit.done;
  },
});

async function toOutput(context: Context): Promise<number> {
  const { terminal, flags } = context;
  if (terminal.out.isTerminal) {
    throw new UsageError("a backup is no text for a terminal: send it to a file or a program");
  }
  if (flags.json) throw new UsageError("--json can't stand with -: standard output is the backup");
  const client = await context.connect();
  for await (const chunk of whole(await client.backup())) terminal.out.writeBytes(chunk);
  return exit.done;
}

/** What a daemon sends, which fails where it ends early or is no database at all. */
function whole({ size, body }: BackupAnswer): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let bytes = 0;
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await reader.read().catch((error) => {
        throw new Unreachable(`the daemon went away before its backup was whole (${messageOf(error)})`);
      });
      if (value !== undefined) {
        if (bytes === 0 && !beginsDatabase(value)) {
          throw new Fault(
            "not_understood",
            "what the daemon sent is no SQLite database: is it a svc daemon?",
          );
        }
        bytes += value.length;
        controller.enqueue(value);
        return;
      }
      if (done && (bytes === 0 || (size !== undefined && bytes !== size))) {
        throw new Unreachable(
          `the daemon went away after ${bytes} of the backup's ${size ?? "unknown"} bytes`,
        );
      }
      controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function beginsDatabase(chunk: Uint8Array): boolean {
  const head = "SQLite format 3";
  return new TextDecoder().decode(chunk.subarray(0, head.length)) === head;
}
