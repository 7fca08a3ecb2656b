/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";

/** Where a row has two lines, as the style sheet has it. */
const narrow = "(max-width: 900px)";

type Scroller = { current: HTMLDivElement | null };

/** When the row that has the focus goes away, the one in its place has it: keys go on from there. `ref` can be focused. */
export function useKeptFocus(ref: Scroller, index: number): void {
  const isMine = useRef(false);
  useEffect(() => {
    const follow = (event: Event): void => {
      const isInside = event.target instanceof Node && ref.current?.contains(event.target) === true;
      if (event.type === "focusin" || !isInside) isMine.current = isInside;
    };
    addEventListener("focusin", follow);
    addEventListener("pointerdown", follow);
    return () => {
      removeEventListener("focusin", follow);
      removeEventListener("pointerdown", follow);
    };
  }, []);
  useEffect(() => {
    if (!isMine.current || document.activeElement !== document.body) return;
    const row = ref.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
    // Where that place is out of sight the list itself has it, so that keys still scroll.
    (row ?? ref.current)?.focus({ preventScroll: true });
  });
}

/** Where a scroller stands, and how high it is; `key`: a new list begins at its top. */
export function useScroll(ref: Scroller, key: string) {
  const [state, setState] = useState({ top: 0, height: 600, isNarrow: false });
  const element = ref.current;
  useEffect(() => {
    const scroller = ref.current;
    if (scroller === null) return;
    const read = (): void =>
      setState({
        top: scroller.scrollTop,
        height: scroller.clientHeight,
        isNarrow: matchMedia(narrow).matches,
      });
    read();
    scroller.addEventListener("scroll", read, { passive: true });
    const observer = new ResizeObserver(read);
    observer.observe(scroller);
    return () => {
      scroller.removeEventListener("scroll", read);
      observer.disconnect();
    };
  }, [element]);
  useEffect(() => {
    ref.current?.scrollTo({ top: 0 });
    setState((before) => ({ ...before, top: 0 }));
  }, [key]);
  // The scroller is there only once the first answer is: look for it after each drawing.
  const [, again] = useState(0);
  useEffect(() => {
    if (ref.current !== element) again((n) => n + 1);
  });
  return state;
}
