/**
 * A folder of another user's, first in PATH, with a program for every name that somebody might look up. Needs root, who
 * alone can give files away.
 */
export class Planted implements Disposable {
  readonly folder: string = Deno.makeTempDirSync({ prefix: "svc-planted-" });
  /** This program's PATH behind the folder. */
  readonly path: string;
  readonly #before = new Map<string, string | undefined>();

  /** With `names` there are such programs. */
  constructor(names: readonly string[]) {
    Deno.chmodSync(this.folder, 0o755);
    for (const name of names) {
      Deno.writeTextFileSync(
        `${this.folder}/${name}`,
        `#!/bin/sh\necho ${name} >> ${this.folder}/marks\nPATH=/usr/bin:/bin exec ${name} "$@"\n`,
        { mode: 0o755 },
      );
      Deno.chownSync(`${this.folder}/${name}`, 12345, 12345);
    }
    Deno.chownSync(this.folder, 12345, 12345);
    this.path = `${this.folder}:${Deno.env.get("PATH") ?? "/usr/bin:/bin"}`;
  }

  /** Sets variables of this program's own until the end. */
  set(variables: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(variables)) {
      if (!this.#before.has(name)) this.#before.set(name, Deno.env.get(name));
      Deno.env.set(name, value);
    }
  }

  /** Names of those that were started. */
  started(): string[] {
    try {
      return Deno.readTextFileSync(`${this.folder}/marks`).trim().split("\n");
    } catch {
      return [];
    }
  }

  [Symbol.dispose](): void {
    for (const [name, value] of this.#before) {
      if (value === undefined) Deno.env.delete(name);
      else Deno.env.set(name, value);
    }
    Deno.removeSync(this.folder, { recursive: true });
  }
}
