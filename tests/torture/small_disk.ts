import { NotPlayed, type Stage } from "./stage.ts";

/** A disk of a few megabytes that a stage has for itself. */
export interface SmallDisk {
  path: string;
  /** Writes a file of somebody else's until not a byte is left. */
  fill(): Promise<void>;
  /** Takes that file away again. */
  free(): Promise<void>;
  /** For when nobody has a file open on it. */
  makeReadOnly(is: boolean): Promise<void>;
}

/** Mounts a small disk in a stage's folder. Throws `NotPlayed` where that isn't allowed. */
export async function smallDisk(stage: Stage, { size }: { size: string }): Promise<SmallDisk> {
  const path = `${stage.folder}/disk`;
  await Deno.mkdir(path);
  const trouble = await command("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", path]);
  if (trouble !== undefined) throw new NotPlayed(`no disk can be mounted here (${trouble})`);
  stage.atEnd(async () => {
    const stuck = await command("umount", [path]);
    if (stuck !== undefined) await command("umount", ["-l", path]);
  });
  const filler = `${path}/of_somebody_else`;
  return {
    path,
    async fill() {
      using file = await Deno.open(filler, { create: true, append: true });
      for (let size = 64 * 1024; size >= 1; size = Math.floor(size / 2)) {
        try {
          for (;;) if (await file.write(new Uint8Array(size)) < size) break;
        } catch {
          // Full, for a piece of this size.
        }
      }
    },
    async free() {
      await Deno.remove(filler).catch(() => {});
    },
    async makeReadOnly(is) {
      const trouble = await command("mount", ["-o", `remount,${is ? "ro" : "rw"}`, path]);
      if (trouble !== undefined) throw new Error(`cannot remount the small disk: ${trouble}`);
    },
  };
}

/** Runs a program to its end; answers what it complained of, or undefined when it went well. */
export async function command(program: string, args: string[]): Promise<string | undefined> {
  try {
    const { code, stderr } = await new Deno.Command(program, { args, stdout: "null" }).output();
    return code === 0
      ? undefined
      : new TextDecoder().decode(stderr).trim().split("\n")[0] || `exit code ${code}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
