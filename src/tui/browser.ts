/** Opens an address in this machine's browser; false where there is none to be seen. */
export async function openBrowser(url: string): Promise<boolean> {
  const isMac = Deno.build.os === "darwin";
  if (!isMac && !Deno.env.get("DISPLAY") && !Deno.env.get("WAYLAND_DISPLAY")) return false;
  try {
    const child = new Deno.Command(isMac ? "open" : "xdg-open", {
      args: [url],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    child.unref();
    // What fails does so soon; a browser may be the child itself, and stay.
    const soon = new Promise<true>((resolve) => setTimeout(() => resolve(true), 1500));
    return await Promise.race([child.status.then(({ success }) => success), soon]);
  } catch {
    return false;
  }
}
