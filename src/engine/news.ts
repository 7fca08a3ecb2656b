import type { Refusing } from "../core/refusal.ts";
import type { Notice } from "../core/notices.ts";
import type { SystemSample } from "../core/system_sample.ts";

/** What is told to those who watch, and to nobody who comes later: it carries no id and is not replayed (docs/http.md#events). */
export type NewsEvent =
  | {
    type: "system.sample";
    sample: SystemSample;
    /** Ms. */
    uptime: number;
  }
  /** The database begins to refuse, or (without it) takes everything again. */
  | { type: "daemon.refusing"; refusing?: Refusing }
  /** The daemon ends now, and another takes over what runs. */
  | { type: "daemon.handover" }
  | { type: "notification.created" | "notification.updated"; notice: Notice; unreadCount: number }
  | { type: "notification.unread_count"; unreadCount: number };
