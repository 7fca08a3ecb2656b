import { asLines } from "../printable.ts";
import { Argument } from "commander";
import type {
  Exported,
  ExportFile,
  ExportKind,
  ExportNote,
  ExportOrder,
} from "../../importers/export/exported.ts";
import { Fault } from "../../fault.ts";
import { type Context, defineCommand, writeJson, writeLines } from "../command.ts";
import { writeExport } from "../export_folder.ts";
import { exit, UsageError } from "../failures.ts";
import { pickUnits } from "../pick_units.ts";

interface Options {
  out?: string;
  force?: boolean;
  image?: string;
  withSecrets?: boolean;
}

/** `svc export KIND`: the units of a configuration as files of another system, without a daemon. */
export const command = defineCommand<Options>({
  needs: "file",
  define: (command) =>
    command
      .addArgument(new Argument("<KIND>", "for whom").choices(["systemd", "kubernetes", "nomad"]))
      .argument("[NAME|GLOB...]", "units; none: all")
      .option("--out <FOLDER>", "write files into a folder; none: print them")
      .option("--force", "replace files that are no export, or were changed since")
      .option("--image <IMAGE>", "the container image, for kubernetes and nomad")
      .option("--with-secrets", "write the values of secrets, not placeholders"),
  examples: ["svc export systemd --out units", 'svc export kubernetes "web-*" --image registry/app:1'],
  exits: [["0", "all is exported, perhaps with notes"], ["1", "a unit or its schedule could not be"]],
  async run(context, { args: [kind = "", ...patterns], options }) {
    if (kind === "systemd" && options.image !== undefined) {
      throw new UsageError("systemd runs programs of the machine: --image is for kubernetes and nomad");
    }
    if (options.force && options.out === undefined) throw new UsageError("--force goes with --out");
    const order = await orderOf(context, { patterns, options });
    if (order === undefined) return exit.failed;
    const exported = await exporters[kind as ExportKind](order);
    const { out } = options;
    if (out !== undefined) await writeExport(out, exported.files, { force: options.force ?? false });
    if (context.flags.json) tellJson(context, { kind, exported, out });
    else {
      if (out === undefined) context.terminal.out.copy(textOf(kind, exported.files));
      tellAccount(context, exported);
      if (out !== undefined) writeLines(context, exported.files.map(({ name }) => `wrote ${out}/${name}`));
    }
    return exported.refused.length > 0 ? exit.failed : exit.done;
  },
});

/** Loaded when they are called. */
const exporters: Record<ExportKind, (order: ExportOrder) => Promise<Exported>> = {
  systemd: async (order) => (await import("../../importers/export/systemd/systemd.ts")).exportSystemd(order),
  kubernetes: async (order) =>
    (await import("../../importers/export/kubernetes/kubernetes.ts")).exportKubernetes(order),
  nomad: async (order) => (await import("../../importers/export/nomad/nomad.ts")).exportNomad(order),
};

/** Reads the configuration and picks units; undefined where its errors were told. Throws `Fault`. */
async function orderOf(
  { locals, flags, terminal, timezone }: Context,
  { patterns, options }: { patterns: string[]; options: Options },
): Promise<ExportOrder | undefined> {
  const path = await locals.findConfig(flags);
  const { config, errors } = await locals.readConfig(path);
  if (config === undefined) {
    const lines = await locals.renderValidation({ schema_version: 1, valid: false, errors, warnings: [] });
    terminal.err.write(asLines([...lines, `svc: cannot export "${path}": mend its errors first`]));
    return undefined;
  }
  const units = patterns.length === 0 ? config.units : pickUnits(config.units, patterns);
  if (units.length === 0) throw new Fault("not_found", `cannot export "${path}": it has no units`);
  return {
    units,
    all: config.units,
    hostTimezone: timezone,
    withSecrets: options.withSecrets ?? false,
    ...(config.daemon.timezone === undefined ? {} : { timezone: config.daemon.timezone }),
    ...(options.image === undefined ? {} : { image: options.image }),
  };
}

/** All files as one text; each says at its top what it is, but JSON has no remarks and alone is to be read as it is. */
function textOf(kind: string, files: readonly ExportFile[]): string {
  const texts = files.map(({ text }) => text);
  if (kind === "systemd") return texts.join("\n");
  if (kind === "kubernetes") return texts.join("---\n");
  return files.length === 1
    ? texts.join("")
    : files.map(({ name, text }) => `// ${name}\n${text}`).join("\n");
}

function tellAccount({ terminal, err }: Context, { notes, refused }: Exported): void {
  const lineOf = ({ unit, message }: ExportNote) => `${unit === "" ? "all" : unit}: ${message}`;
  const lines = [
    ...refused.map((note) => err.paint(`not exported: ${lineOf(note)}`, "bad")),
    ...notes.map(lineOf),
  ];
  if (lines.length > 0) terminal.err.write(asLines(lines));
}

function tellJson(
  context: Context,
  { kind, exported: { files, notes, refused }, out }: {
    kind: string;
    exported: Exported;
    out?: string | undefined;
  },
): void {
  writeJson(context, {
    kind,
    files: files.map(({ name, text, secret = false }) =>
      out === undefined ? { name, secret, text } : { name, secret, path: `${out}/${name}` }
    ),
    notes,
    refused,
  });
}
