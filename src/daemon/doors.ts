import type { Door } from "../http/listen/door.ts";
import { problemJson } from "../http/problem_json.ts";

/** A door at which requests wait until it is opened, for those that come before the units are up. */
export function closedDoor(): { door: Door; open: (to: Door) => void } {
  const { promise, resolve } = Promise.withResolvers<Door>();
  return {
    door: { fetch: async (request, env) => (await promise).fetch(request, env) },
    open: resolve,
  };
}

/** Why nobody is let through at the moment. */
export type Shut = "leaving" | "on_trial";

/** A door that answers 503 while the daemon leaves, and on trial to all that would change something but the trial itself. */
export function heldDoor(door: Door, shut: () => Shut | undefined): Door {
  return {
    fetch(request, env) {
      const why = shut();
      if (why === undefined || (why === "on_trial" && passesOnTrial(request))) {
        return door.fetch(request, env);
      }
      return soon(details[why]);
    },
  };
}

const details: Readonly<Record<Shut, string>> = {
  leaving: "the daemon is being replaced: ask again in a moment",
  on_trial: "the daemon is on trial after an upgrade, and changes nothing: ask again in a moment",
};

/** What ends a trial, and what says who asks. */
const passing = /^\/api\/(?:daemon\/(?:confirm|handover|backup)|auth\/.*)$/;

function passesOnTrial({ method, url }: Request): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS" || passing.test(new URL(url).pathname);
}

function soon(detail: string): Response {
  const document = problemJson("stopping", { detail });
  const headers = { "content-type": "application/problem+json", "retry-after": "1" };
  return new Response(JSON.stringify(document), { status: document.status, headers });
}
