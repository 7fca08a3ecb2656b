/// <reference lib="dom" />
import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Full screen for an element: the browser's own where it allows that, else laid over the page. */
export function useFullScreen(
  ref: RefObject<HTMLElement | null>,
): { isFull: boolean; isOverlaid: boolean; toggle: () => void } {
  const [state, setState] = useState<"off" | "native" | "overlaid">("off");
  useEffect(() => {
    const onChange = (): void => setState(document.fullscreenElement === ref.current ? "native" : "off");
    document.addEventListener("fullscreenchange", onChange);
    return () => document.removeEventListener("fullscreenchange", onChange);
  }, []);
  const toggle = (): void => {
    if (state === "native") void document.exitFullscreen();
    else if (state === "overlaid") setState("off");
    else {
      const asked = document.fullscreenEnabled ? ref.current?.requestFullscreen() : undefined;
      if (asked === undefined) setState("overlaid");
      else asked.catch(() => setState("overlaid"));
    }
  };
  return { isFull: state !== "off", isOverlaid: state === "overlaid", toggle };
}
