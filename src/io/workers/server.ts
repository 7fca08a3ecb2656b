import { messageOf } from "../../fault.ts";
import { workerCollector } from "../heap.ts";
import type { Order, Report } from "./client.ts";

/** Serves jobs in a worker, for as long as that lives; several may be under way at once. */
export function serveJobs<Job, Outcome>(work: (job: Job) => Outcome | Promise<Outcome>): void {
  const scope = globalThis as unknown as {
    onmessage: (event: MessageEvent<Order<Job>>) => void;
    postMessage(report: Report<Outcome>): void;
  };
  const collect = workerCollector();
  scope.onmessage = async ({ data: { order, job } }) => {
    try {
      scope.postMessage({ order, outcome: await work(job) });
    } catch (error) {
      scope.postMessage({ order, error: messageOf(error) });
    }
    collect();
  };
  scope.postMessage("ready");
}
