import { redactSpans } from "../redact_spans.ts";
import { serveJobs } from "./server.ts";

/** Serves the jobs that a worker of this name is for. */
export async function serveWorker(name: string): Promise<void> {
  switch (name) {
    case "log-search":
      return serveJobs((await import("../logs/searcher.ts")).searchInTurns);
    case "run-list":
      return serveJobs((await import("../store/run_lister.ts")).listIn);
    case "config":
      return serveJobs((await import("../config_loader.ts")).configJobs());
    case "notify":
      return serveJobs((await import("../service_manager/notify_worker.ts")).notifyJobs());
    case "net":
      redactSpans({ isOutgoing: true });
      return serveJobs((await import("../net/net_worker.ts")).netJobs());
    default:
      throw new RangeError(`no work is known for a worker of the name "${name}"`);
  }
}
