import { noteCommon } from "../common_notes.ts";
import { Account, type Exported, type ExportOrder } from "../exported.ts";
import { unitFolder } from "./sections.ts";
import { serviceUnits } from "./service_units.ts";
import { taskUnits } from "./task_units.ts";

/** Units as services and timers of systemd. */
export function exportSystemd(order: ExportOrder): Exported {
  const account = new Account();
  const files = order.units.flatMap((unit) => {
    const made = unit.kind === "task"
      ? taskUnits(unit, { order, account })
      : serviceUnits(unit, { order, account });
    noteCommon(unit, account);
    return made;
  });
  for (const message of forAll) account.note(undefined, message);
  return { files, notes: account.notes, refused: account.refused };
}

const forAll = [
  `the files go to ${unitFolder}; look first that the machine has no units of these names`,
  "output goes to the journal and keeps to its limits, for all units together; there is no history of runs",
  "a program has systemd's environment, not the one that svc was started in: what it needs of that goes to env",
];
