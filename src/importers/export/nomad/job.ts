import type { Unit } from "../../../types.ts";
import type { Account, ExportFile, ExportOrder } from "../exported.ts";
import { oneLine, originOf } from "../unit_facts.ts";

/** A part of a Nomad job in the form of its API; members that are undefined are left out of the file. */
export interface NomadPart {
  [key: string]: unknown;
}

/** What the job of a unit is made with. */
export interface NomadMaking {
  /** The id of the job. */
  name: string;
  order: ExportOrder;
  account: Account;
}

/** A file that `nomad job run -json` takes. */
export function jobFile(unit: Unit, { name, job }: { name: string; job: NomadPart }): ExportFile {
  const description = oneLine(unit.description);
  const whole = {
    Job: {
      ID: name,
      Name: name,
      Datacenters: ["*"],
      Meta: {
        svc_origin: originOf(unit),
        ...(description === "" ? {} : { svc_description: description }),
      },
      ...job,
    },
  };
  return { name: `${name}.nomad.json`, text: `${JSON.stringify(whole, null, 2)}\n` };
}

/** A duration (ms) as Nomad counts it, in nanoseconds. */
export function nanoseconds(ms: number): number {
  return Math.round(ms * 1e6);
}
