/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { act } from "../../app/actions.ts";
import { bindKeys } from "../../app/keys.ts";
import { place, setQuery } from "../../app/router.tsx";
import { Heading } from "../../parts/heading.tsx";
import { unread } from "../../data/notices.ts";
import { get, send, wordsOf } from "../../net/api.ts";
import { isGap, onEvents } from "../../net/events.ts";
import { Action } from "../../parts/button.tsx";
import { Empty, Failed, Skeleton } from "../../parts/states.tsx";
import { NoticeRow } from "./notice_row.tsx";
import {
  filtered,
  filterOf,
  kinds,
  marked,
  merged,
  most,
  type Notice,
  type NoticeFilter,
} from "./notices_list.ts";
import { Notifiers } from "./notifiers.tsx";

const pageSize = 50;
/** Pages are read until so many rows match, or so many pages were read. */
const enough = { rows: 20, pages: 10 };

/** What the daemon gave notice of. */
export default function Notifications() {
  const filter = filterOf(place.value.query);
  const [list, setList] = useState<readonly Notice[]>();
  /** Where the next page begins; empty at the end. */
  const [cursor, setCursor] = useState("");
  const [why, setWhy] = useState<string>();
  const [pages, setPages] = useState(0);
  const isReading = useRef(false);

  /** `isAnew`: what was known is that of another daemon, perhaps. */
  const read = async (before: string, { isAnew = false } = {}): Promise<void> => {
    if (isReading.current && !isAnew) return;
    isReading.current = true;
    try {
      const { items, next_cursor } = await get("/api/notifications", { limit: pageSize, before });
      setList((known) => isAnew ? items ?? [] : merged(known ?? [], items ?? []));
      // What is read again is the first page: the others stay as they are.
      setCursor((known) => before === "" && known !== "" && !isAnew ? known : next_cursor);
      setPages((count) => count + 1);
      setWhy(undefined);
    } catch (error) {
      setWhy(wordsOf(error));
    } finally {
      isReading.current = false;
    }
  };
  useEffect(() => {
    void read("");
    return onEvents((events) => {
      const fresh: Notice[] = [];
      let count: number | undefined;
      for (const { name, data } of events) {
        if (name === "notification.created" || name === "notification.updated") {
          fresh.push(JSON.parse(data).notification);
        } else if (name === "notification.unread_count") count = JSON.parse(data).unread_count;
      }
      if (fresh.length > 0) setList((known) => merged(known ?? [], fresh));
      if (count === 0) {
        setList((known) => known && marked(known, { ids: "all", at: new Date().toISOString() }));
      } // Somebody has marked some of them: which ones is not told.
      else if (count !== undefined) void read("");
      if (events.some(isGap)) void read("", { isAnew: true });
    });
  }, []);
  const shown = filtered(list ?? [], filter);
  useEffect(() => {
    const wantsMore = shown.length < enough.rows && (filter.isUnreadOnly || filter.kind !== "");
    if (wantsMore && cursor !== "" && pages < enough.pages && why === undefined) void read(cursor);
  });

  const mark = (notice: Notice, isRead: boolean): void => {
    const before = list;
    const ids = new Set([notice.id]);
    setList((known) => known && marked(known, { ids, at: isRead ? new Date().toISOString() : undefined }));
    void act(
      "mark a notification",
      () =>
        send(`/api/notifications/:id/${isRead ? "read" : "unread"}`, { id: notice.id })
          .then(() => true),
    ).then((done) => done === undefined && setList(before));
  };
  const markAll = (): void => {
    const before = list;
    setList((known) => known && marked(known, { ids: "all", at: new Date().toISOString() }));
    void act("mark all", () => send("/api/notifications/read").then(() => true))
      .then((done) => done === undefined && setList(before));
  };
  const latest = useRef({ list: shown, mark });
  latest.current = { list: shown, mark };
  useEffect(() =>
    bindKeys([{
      keys: "u",
      text: "mark the notification read, or unread",
      run: () => {
        const id = document.activeElement?.closest<HTMLElement>("[data-notice]")?.dataset.notice;
        const notice = latest.current.list.find((notice) => notice.id === id);
        if (notice !== undefined) latest.current.mark(notice, notice.read_at === undefined);
      },
    }]), []);

  return (
    <div class="notices">
      <Heading title="Notifications">
        <span class="muted" role="status">{unread.value === 0 ? "all read" : `${unread.value} unread`}</span>
        <span class="fill" />
        {unread.value === 0 ? null : <Action what="mark all" onClick={markAll}>Mark all read</Action>}
      </Heading>
      <NoticeFilters filter={filter} />
      {list === undefined
        ? why === undefined
          ? <Skeleton rows={6} />
          : <Failed what="the notifications" why={why} onRetry={() => void read("")} />
        : shown.length === 0 && cursor === ""
        ? <NoNotices filter={filter} />
        : (
          <>
            <ol class="notices-list" aria-label="Notifications">
              {shown.map((notice) => <NoticeRow key={notice.id} notice={notice} onMark={mark} />)}
            </ol>
            {why === undefined ? null : <Failed what="more" why={why} onRetry={() => void read(cursor)} />}
            {cursor === "" || list.length >= most
              ? null
              : (
                <button type="button" class="notices-more" onClick={() => void read(cursor)}>
                  Older ones
                </button>
              )}
          </>
        )}
      <Notifiers />
    </div>
  );
}

/** What narrows the list. */
export function NoticeFilters({ filter }: { filter: NoticeFilter }) {
  return (
    <div class="row notices-filters">
      <span class="chips" role="group" aria-label="Which">
        <button
          type="button"
          aria-pressed={!filter.isUnreadOnly}
          onClick={() => setQuery({ show: undefined })}
        >
          all
        </button>
        <button
          type="button"
          aria-pressed={filter.isUnreadOnly}
          onClick={() => setQuery({ show: "unread" })}
        >
          unread
        </button>
      </span>
      <select
        aria-label="Kind"
        value={filter.kind}
        onChange={(event) => setQuery({ kind: event.currentTarget.value })}
      >
        <option value="">any kind</option>
        {Object.entries(kinds).map(([kind, word]) => <option key={kind} value={kind}>{word}</option>)}
      </select>
    </div>
  );
}

/** What stands in place of the rows where there are none. */
export function NoNotices({ filter }: { filter: NoticeFilter }) {
  if (filter.isUnreadOnly && filter.kind === "") return <Empty title="You have read everything" />;
  if (filter.isUnreadOnly || filter.kind !== "") {
    return (
      <Empty title="None of this kind">
        <button type="button" onClick={() => setQuery({ show: undefined, kind: undefined })}>Show all</button>
      </Empty>
    );
  }
  return (
    <Empty title="Nothing to tell">
      <p>Failures, missed runs, services in trouble and what works again are told here.</p>
    </Empty>
  );
}
