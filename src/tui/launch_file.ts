/** A page on disk that leads a browser to an address, which so stands on no command line. */
export interface LaunchFile {
  /** Its own address, `file://...`. */
  address: string;
  remove: () => void;
}

/**
 * Writes a page that leads to `url`, where this user alone can read it: in $XDG_RUNTIME_DIR if that is private, else
 * in a fresh folder. A child removes it after `life` seconds, also if this program has ended by then. Fails where there
 * is no such place.
 */
export async function writeLaunchFile(
  url: string,
  { life, runtimeDir }: { life: number; runtimeDir: string | undefined },
): Promise<LaunchFile> {
  const folder = Deno.makeTempDirSync({
    prefix: "svc-open-",
    ...(runtimeDir !== undefined && isPrivate(runtimeDir) ? { dir: runtimeDir } : {}),
  });
  const path = `${folder}/open.html`;
  const remove = (): void => {
    try {
      Deno.removeSync(folder, { recursive: true });
    } catch {
      // It is gone already.
    }
  };
  try {
    if (!isPrivate(folder)) throw new RangeError(`others can read "${folder}"`);
    Deno.writeTextFileSync(path, launchPage(url), { createNew: true, mode: 0o600 });
    await new Deno.Command("/bin/sh", {
      args: ["-c", '{ sleep "$1"; rm -f -- "$0/open.html"; rmdir -- "$0"; } &', folder, String(life)],
      // The terminal's Ctrl-C is not meant for it.
      detached: true,
      cwd: "/",
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn().status;
  } catch (error) {
    remove();
    throw error;
  }
  return { address: new URL(`file://${path}`).href, remove };
}

/** Whether a path is a folder of this user's own, no link, that nobody else may enter. */
function isPrivate(path: string): boolean {
  try {
    const { isDirectory, uid, mode } = Deno.lstatSync(path);
    return isDirectory && uid === Deno.uid() && ((mode ?? 0o777) & 0o077) === 0;
  } catch {
    return false;
  }
}

/** HTML that goes to an address at once, and tells no referrer. */
export function launchPage(url: string): string {
  const address = url.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${address}">
<title>svc</title>
<p><a href="${address}">Go on to svc</a></p>
`;
}
