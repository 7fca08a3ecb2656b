/// <reference lib="dom" />
import { effect } from "@preact/signals";
import { link } from "../net/events.ts";

/** A page that has just been loaded anew for a script is not loaded anew again, ms. */
const tooSoon = 20_000;
const key = "svc.loaded-anew";

/**
 * Loads a script of the page. One that isn't there is of another version, or the daemon is away: the page is loaded
 * anew as soon as the daemon answers, unless that was tried a moment ago. Then it throws.
 */
export async function loadScript<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const last = Number(sessionStorage.getItem(key) ?? 0);
    if (Date.now() - last < tooSoon) throw error;
    return await new Promise<never>(() => {
      effect(() => {
        if (link.value !== "live") return;
        sessionStorage.setItem(key, String(Date.now()));
        location.reload();
      });
    });
  }
}
