import { noteCommon } from "../common_notes.ts";
import { Account, type Exported, type ExportOrder } from "../exported.ts";
import { dnsNames } from "../names.ts";
import { taskManifest } from "./cron_job.ts";
import { serviceManifest } from "./deployment.ts";
import { type Making, manifestFile } from "./manifest.ts";
import { scriptMap, secretFile } from "./pod.ts";

/** What fits into a ConfigMap beside the rest of it, in bytes. */
const largestScript = 1_000_000;

/** Units as manifests of Kubernetes: a CronJob or a Deployment each, with its script. */
export function exportKubernetes(order: ExportOrder): Exported {
  const account = new Account();
  const names = dnsNames(order.all, account);
  const files = order.units.flatMap((unit) => {
    if (unit.kind === "service" && unit.compose !== undefined) {
      account.refuse(unit, `it is a service of ${unit.compose.file}: take that file to the cluster itself`);
      return [];
    }
    if (new TextEncoder().encode(unit.run).length > largestScript) {
      account.refuse(unit, "its script doesn't fit into a ConfigMap: make it part of the image");
      return [];
    }
    const name = names.get(unit.name) ?? unit.name;
    const making: Making = { name, order, account };
    const manifest = unit.kind === "task" ? taskManifest(unit, making) : serviceManifest(unit, making);
    noteCommon(unit, account);
    return [
      manifestFile(unit, { name: `${name}.yaml`, documents: [scriptMap(unit, name), manifest] }),
      ...secretFile(unit, making),
    ];
  });
  const forAll = order.image === undefined ? [imageUnknown, ...always] : always;
  for (const message of forAll) account.note(undefined, message);
  const chosen = new Set(["", ...order.units.map((unit) => unit.name)]);
  return { files, notes: account.notes.filter(({ unit }) => chosen.has(unit)), refused: account.refused };
}

const imageUnknown = "which image a unit runs in is unknown: put it in place of IMAGE, or add --image";

const always = [
  "shells, programs, folders and files are the image's: nothing of this machine is there",
  `of past runs the newest hundred are kept at most, and output as long as the cluster keeps it`,
];
