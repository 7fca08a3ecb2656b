import { noteCommon } from "../common_notes.ts";
import { Account, type Exported, type ExportOrder } from "../exported.ts";
import { dnsNames } from "../names.ts";
import { jobFile } from "./job.ts";
import { serviceJob } from "./service_job.ts";
import { variablesFile } from "./task.ts";
import { taskJob } from "./task_job.ts";

/** Units as jobs of Nomad, in the JSON of its API. */
export function exportNomad(order: ExportOrder): Exported {
  const account = new Account();
  const names = dnsNames(order.all, account);
  const files = order.units.flatMap((unit) => {
    if (unit.kind === "service" && unit.compose !== undefined) {
      account.refuse(unit, `it is a service of ${unit.compose.file}: write a job with its image`);
      return [];
    }
    const name = names.get(unit.name) ?? unit.name;
    const making = { name, order, account };
    const job = unit.kind === "task" ? taskJob(unit, making) : serviceJob(unit, making);
    noteCommon(unit, account);
    return [jobFile(unit, { name, job }), ...variablesFile(unit, making)];
  });
  account.note(
    undefined,
    order.image === undefined
      ? "jobs run by raw_exec, which a client must allow; programs, folders and accounts are those of its machine"
      : "shells, programs, folders and files are the image's: nothing of this machine is there",
  );
  account.note(undefined, "output and history are kept as Nomad's garbage collection says");
  const chosen = new Set(["", ...order.units.map((unit) => unit.name)]);
  return { files, notes: account.notes.filter(({ unit }) => chosen.has(unit)), refused: account.refused };
}
