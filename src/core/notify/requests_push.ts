import type { Notifier } from "../../types.ts";
import { bytes, cut, fit } from "./fit.ts";
import { type Message, plainText } from "./message.ts";
import type { Post } from "./outgoing.ts";
import { jsonPost, saidBy } from "./requests_chat.ts";

/** Of all three: what is news makes no sound, a warning sounds as usual, an error is urgent. */
const priorities = {
  ntfy: { info: 2, warn: 3, error: 4 },
  gotify: { info: 2, warn: 5, error: 8 },
  pushover: { info: -1, warn: 0, error: 1 },
};

/** Signs before the title, by their names in ntfy. */
const ntfyTags = { info: "white_check_mark", warn: "warning", error: "rotating_light" };

/** A longer message of ntfy, in bytes, becomes a file that is attached. */
const ntfyText = 4096;
const titleLength = 250;

/** A message to a topic of ntfy, published as JSON to the address of the server. */
export function ntfyPost(notifier: Notifier, message: Message): Post {
  const { topic, token, url } = notifier.settings;
  const { severity, title, link, kind } = message;
  const post = jsonPost(String(url), {
    topic,
    title: cut(title, titleLength),
    message: fit(message.body, { limit: ntfyText, render: rendered(notifier, message), size: bytes }),
    priority: priorities.ntfy[severity],
    tags: [ntfyTags[severity], kind],
    ...(link === "" ? {} : { click: link }),
  });
  if (token !== undefined) post.headers["authorization"] = `Bearer ${token}`;
  return post;
}

/** A message of an application of Gotify. */
export function gotifyPost(notifier: Notifier, message: Message): Post {
  const { url, token } = notifier.settings;
  const { severity, title, link } = message;
  const address = new URL(String(url));
  address.pathname = `${address.pathname.replace(/\/$/, "")}/message`;
  const post = jsonPost(address.href, {
    title,
    message: rendered(notifier, message)(message.body),
    priority: priorities.gotify[severity],
    extras: {
      "client::display": { contentType: "text/plain" },
      ...(link === "" ? {} : { "client::notification": { click: { url: link } } }),
    },
  });
  // In the address it would stand in the logs of every proxy.
  post.headers["x-gotify-key"] = String(token);
  return post;
}

/** Limits of Pushover. */
const pushoverText = 1024;
const pushoverLink = 512;

/** A message of an application of Pushover. */
export function pushoverPost(notifier: Notifier, message: Message): Post {
  const token = String(notifier.settings["token"]);
  const user = String(notifier.settings["user"]);
  const { severity, title, link, at } = message;
  const post = jsonPost("https://api.pushover.net/1/messages.json", {
    token,
    user,
    title: cut(title, titleLength),
    message: fit(message.body, { limit: pushoverText, render: rendered(notifier, message) }),
    priority: priorities.pushover[severity],
    timestamp: Math.floor(at / 1000),
    ...(link === "" || link.length > pushoverLink ? {} : { url: link, url_title: "Open in svc" }),
  });
  return { ...post, hidden: [token, user] };
}

/** The text of a message with a body in its place; the link has a field of its own. */
function rendered({ template }: Notifier, message: Message): (body: string) => string {
  return (body) =>
    template === undefined
      ? plainText({ ...message, body, link: "" })
      : saidBy(template, { ...message, body });
}
