import type { Run } from "../../../ui/data/runs.ts";

/** A run that has ended well, but for what is given. */
export function runWith(rest: Partial<Run>): Run {
  return {
    id: "01KB00000000000000000000AA",
    task_name: "backup",
    status: "ended",
    exit_code: 0,
    triggered_by: "api",
    created_at: "2027-01-15T12:00:00Z",
    retry_attempt: 0,
    instance_index: 0,
    ...rest,
  };
}
