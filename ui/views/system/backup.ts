/// <reference lib="dom" />
import { say } from "../../app/toast.tsx";
import { sizeWords } from "../../../src/core/size.ts";
import { act } from "../../app/actions.ts";
import { ApiError, pathTo } from "../../net/api.ts";
import { outside } from "../../net/base.ts";

/** Has the daemon copy its database, and saves the copy as a file. */
export async function saveBackup(): Promise<void> {
  const saved = await act("back up", async () => {
    const response = await fetch(outside(pathTo("/api/daemon/backup")), { method: "POST" });
    if (!response.ok) {
      const problem: { detail?: string } | undefined = await response.json().catch(() => undefined);
      throw new ApiError(response.status, problem?.detail ?? `The daemon answered ${response.status}.`);
    }
    const name = nameOf(response.headers.get("content-disposition"));
    const file = await response.blob();
    const address = URL.createObjectURL(file);
    const link = Object.assign(document.createElement("a"), { href: address, download: name });
    link.click();
    // The browser reads it after the click.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    return { name, size: file.size };
  });
  if (saved !== undefined) say(`${saved.name}, ${sizeWords(saved.size)}, is being saved`, { role: "good" });
}

/** The name that an answer has for its file. */
export function nameOf(disposition: string | null): string {
  return /filename="([^"/\\]+)"/.exec(disposition ?? "")?.[1] ?? "svc.db";
}
