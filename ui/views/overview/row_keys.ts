/// <reference lib="dom" />
import { go } from "../../app/router.tsx";

/** Lets Enter on a row itself, not on what is in it, go to an address. */
export function openOnEnter(address: string): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key === "Enter" && event.target === event.currentTarget) go(address);
  };
}
