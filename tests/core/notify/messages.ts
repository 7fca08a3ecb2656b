import type { Message } from "../../../src/core/notify/message.ts";
import type { Mail, Outgoing, Post, Sendmail } from "../../../src/core/notify/outgoing.ts";
import { outgoingOf } from "../../../src/core/notify/requests.ts";
import type { Notifier } from "../../../src/types.ts";

/** A message of a task that failed. */
export function message(own: Partial<Message> = {}): Message {
  return {
    kind: "run.failed",
    severity: "error",
    title: 'Task "backup" failed',
    body: "exit code 3 after 2.0 s\nlast line: no space left",
    unit: "backup",
    runId: "01JZZZZZZZZZZZZZZZZZZZZZZZ",
    link: "https://svc.example/runs/01JZZZZZZZZZZZZZZZZZZZZZZZ",
    host: "box1",
    at: Date.UTC(2027, 0, 15, 12),
    count: 1,
    isFailure: true,
    reason: "failed",
    ...own,
  };
}

/** A notifier of a type with its settings. */
export function notifier(
  type: Notifier["type"],
  { template, ...settings }: Notifier["settings"] & { template?: string },
): Notifier {
  return { id: "n", type, ...(template === undefined ? {} : { template }), settings };
}

/** The request that tells a message. */
export function postOf(to: Notifier, what: Message): Post {
  return expected(outgoingOf(to, what), "post");
}

/** The mail that tells a message. */
export function mailOf(to: Notifier, what: Message): Mail {
  return expected(outgoingOf(to, what), "mail");
}

/** The mail for the sendmail program that tells a message. */
export function sendmailOf(to: Notifier, what: Message): Sendmail {
  return expected(outgoingOf(to, what), "sendmail");
}

/** The body of a request, which is JSON. */
export function jsonOf(post: Post): Record<string, unknown> {
  return JSON.parse(post.body);
}

function expected<D extends Outgoing["do"]>(outgoing: Outgoing, what: D): Outgoing & { do: D } {
  if (outgoing.do !== what) throw new RangeError(`expected a ${what}, got a ${outgoing.do}`);
  return outgoing as Outgoing & { do: D };
}
