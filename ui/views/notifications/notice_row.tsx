/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { addressOf, go, Link } from "../../app/router.tsx";
import { Time } from "../../parts/times.tsx";
import { isLong, kinds, type Notice, severityOf } from "./notices_list.ts";

interface NoticeRowProps {
  notice: Notice;
  onMark: (notice: Notice, isRead: boolean) => void;
  /** For snapshots: all that can be unfolded is. */
  isOpen?: boolean;
}

/** A notice: what happened, when, how often, and the way to it. */
export function NoticeRow({ notice, onMark, isOpen = false }: NoticeRowProps) {
  const [isWhole, setWhole] = useState(isOpen);
  const [isTold, tell] = useState(isOpen);
  const { mark, word, role } = severityOf(notice);
  const isUnread = notice.read_at === undefined;
  const long = isLong(notice.body);
  const read = (): void => {
    if (isUnread) onMark(notice, true);
  };
  const times = notice.occurrences ?? [];
  return (
    <li
      class={`notices-row ${role}${isUnread ? " unread" : ""}`}
      data-row=""
      data-notice={notice.id}
      tabIndex={0}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.target !== event.currentTarget || notice.run_id === "") return;
        event.preventDefault();
        read();
        go(addressOf.run(notice.run_id));
      }}
    >
      <span class={`notices-severity ${role}`}>
        <span aria-hidden="true">{mark}</span>
        <span>{word}</span>
      </span>
      <div class="notices-text">
        <h2>
          {isUnread ? <span class="notices-dot" title="unread" role="img" aria-label="unread" /> : null}
          {notice.title}
        </h2>
        {notice.body === ""
          ? null
          : <p class={`notices-body${long && !isWhole ? " cut" : ""}`}>{notice.body}</p>}
        <p class="notices-links">
          {notice.run_id === ""
            ? null
            : (
              <Link href={addressOf.run(notice.run_id)} onClick={read} class="notices-open">
                {notice.count > 1 ? "Newest run" : "Run"}
              </Link>
            )}
          {notice.task_name === ""
            ? null
            : <Link href={addressOf.unit(notice.task_name)} onClick={read}>{notice.task_name}</Link>}
          <span class="muted">{kinds[notice.kind] ?? notice.kind}</span>
          {notice.count < 2
            ? null
            : (
              <button type="button" class="link" aria-expanded={isTold} onClick={() => tell(!isTold)}>
                {notice.count} times
              </button>
            )}
          {!long
            ? null
            : (
              <button type="button" class="link" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
                {isWhole ? "Less" : "More"}
              </button>
            )}
        </p>
        {!isTold || notice.count < 2 ? null : (
          <ul class="notices-times" aria-label="When it happened">
            {times.map((at) => (
              <li key={at}>
                <Time at={at} />
              </li>
            ))}
            {notice.count > times.length
              ? <li class="muted">and {notice.count - times.length} times before</li>
              : null}
          </ul>
        )}
      </div>
      <span class="notices-when muted">
        <Time at={notice.last_occurred_at} />
      </span>
      <button type="button" class="notices-mark" onClick={() => onMark(notice, isUnread)}>
        {isUnread ? "Mark read" : "Mark unread"}
      </button>
    </li>
  );
}
