import { type Event, EVENT_ID } from "js-yaml";

/** How many values stand in a text, and how many there are with a copy for each alias. */
export function sizesOf(events: readonly Event[], text: string): { own: number; expanded: number } {
  const anchors = new Map<string, number>();
  const open: { anchor: string | undefined; size: number }[] = [];
  let own = 0;
  let expanded = 0;
  const add = (size: number): void => {
    const holder = open.at(-1);
    if (holder === undefined) expanded += size;
    else holder.size += size;
  };
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      const closed = open.pop();
      if (closed === undefined) continue;
      if (closed.anchor !== undefined) anchors.set(closed.anchor, closed.size);
      add(closed.size);
      continue;
    }
    if (event.type === EVENT_ID.DOCUMENT) {
      open.push({ anchor: undefined, size: 0 });
      continue;
    }
    own++;
    const anchor = event.anchorStart < 0 ? undefined : text.slice(event.anchorStart, event.anchorEnd);
    if (event.type === EVENT_ID.ALIAS) add(anchors.get(anchor ?? "") ?? 1);
    else if (event.type === EVENT_ID.SCALAR) {
      if (anchor !== undefined) anchors.set(anchor, 1);
      add(1);
    } else open.push({ anchor, size: 1 });
  }
  return { own, expanded };
}
