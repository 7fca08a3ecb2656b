import { writeLaunchFile } from "./launch_file.ts";

/** A launch ticket is worth nothing afterwards, s. */
const ticketLife = 60;
/** How long other programs may take to say something, ms. */
const patience = 1500;

/**
 * Opens an address that holds a secret in this machine's browser; false where there is none to be seen. Every user of
 * the machine can read command lines: the browser is given a file that leads to the address.
 */
export async function openBrowser(url: string): Promise<boolean> {
  const isMac = Deno.build.os === "darwin";
  const env = Deno.env.toObject();
  if (!isMac && !env.DISPLAY && !env.WAYLAND_DISPLAY) return false;
  if (!isMac && await isConfined()) return false;
  let file;
  try {
    file = await writeLaunchFile(url, { life: ticketLife, runtimeDir: env.XDG_RUNTIME_DIR });
    const child = new Deno.Command(isMac ? "open" : "xdg-open", {
      args: [file.address],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    child.unref();
    // What fails does so soon; a browser may be the child itself, and stay.
    const isOpen = await soon(child.status.then(({ success }) => success), true);
    if (!isOpen) file.remove();
    return isOpen;
  } catch {
    file?.remove();
    return false;
  }
}

/** Whether the browser is a snap, which may read no file in a hidden folder or a temporary one; false where nothing tells. */
async function isConfined(): Promise<boolean> {
  try {
    const child = new Deno.Command("xdg-settings", {
      args: ["get", "default-web-browser"],
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    child.unref();
    const output = child.output().then(({ stdout }) => new TextDecoder().decode(stdout));
    return isSnap(await soon(output, ""));
  } catch {
    return false;
  }
}

/** Whether a desktop file is that of a snap: snapd names it after the snap and the program in it. */
export function isSnap(desktopFile: string): boolean {
  return /^[a-z0-9-]+_[\w.-]+\.desktop\s*$/.test(desktopFile);
}

async function soon<T>(promise: Promise<T>, otherwise: T): Promise<T> {
  const { promise: late, resolve } = Promise.withResolvers<T>();
  const timer = setTimeout(() => resolve(otherwise), patience);
  return await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
