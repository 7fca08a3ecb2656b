import { dump } from "js-yaml";
import type { Unit } from "../../../types.ts";
import type { Account, ExportFile, ExportOrder } from "../exported.ts";
import { oneLine, originOf } from "../unit_facts.ts";

/** A Kubernetes object, or a part of one; members that are undefined are left out. */
export interface Manifest {
  [key: string]: unknown;
}

/** What the manifests of a unit are made with. */
export interface Making {
  /** The DNS label of the unit. */
  name: string;
  order: ExportOrder;
  account: Account;
}

/** Where the scripts of a unit are in its container. */
export const scriptFolder = "/svc";

/** A file of several documents. */
export function manifestFile(
  unit: Unit,
  { name, documents, secret }: { name: string; documents: Manifest[]; secret?: true },
): ExportFile {
  const texts = documents.map((document) =>
    dump(withoutHoles(document), { lineWidth: -1, noRefs: true, quoteStyle: "double" })
  );
  return {
    name,
    text: `# ${name}, from ${originOf(unit)}\n${texts.join("---\n")}`,
    ...(secret === undefined ? {} : { secret }),
  };
}

/** Name, labels, and what of a unit is for people. */
export function metadataOf(unit: Unit, name: string): Manifest {
  const description = oneLine(unit.description);
  return {
    name,
    labels: { ...labelsOf(name), ...groupLabel(unit) },
    annotations: {
      "svc/origin": originOf(unit),
      ...(description === "" ? {} : { "svc/description": description }),
    },
  };
}

/** The labels by which the pods of a unit are found. */
export function labelsOf(name: string): Manifest {
  return { "app.kubernetes.io/name": name };
}

function groupLabel({ group }: Unit): Manifest {
  const value = group.replace(/[^A-Za-z0-9._-]+/g, "-").slice(0, 63).replace(
    /^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g,
    "",
  );
  return value === "" ? {} : { "app.kubernetes.io/part-of": value };
}

function withoutHoles(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutHoles);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined).map((
      [key, member],
    ) => [key, withoutHoles(member)]),
  );
}
