import { durationWords } from "../../core/time_words.ts";
import { type Context, defineCommand, writeJson, writeLines } from "../command.ts";
import { exit, UsageError } from "../failures.ts";
import { planUpgrade, runs, upgrade, type UpgradePlan } from "../upgrade.ts";

interface Options {
  check?: boolean;
}

/** `svc upgrade FILE`: another program in the place of the one that runs, while all that it runs goes on. */
export const command = defineCommand<Options>({
  needs: "client",
  define: (command) =>
    command.argument("[FILE]", "the program of a release")
      .option("--check", "only tell whether it would do, and change nothing"),
  examples: ["svc upgrade ./svc --check", "svc upgrade ./svc-x86_64-unknown-linux-gnu"],
  exits: [
    ["0", "the new daemon answers and has taken everything over; with --check, it would be tried"],
    ["1", "refused, and nothing was changed; or it failed, and the program before is back"],
  ],
  async run(context, { args: [file = ""], options }) {
    if (file === "") {
      throw new UsageError(
        'give the file of a release, "svc upgrade FILE": releases are to be had where this svc came from, and ' +
          "./compile.sh makes one of the source",
      );
    }
    const plan = await planUpgrade(context, file);
    return options.check ? tellPlan(context, plan) : await perform(context, plan);
  },
});

function tellPlan(context: Context, plan: UpgradePlan): number {
  const { before, candidate, place, isManaged } = plan;
  if (context.flags.json) writeJson(context, { upgraded: false, ...facts(plan) });
  else {
    writeLines(context, [
      `svc ${candidate.version} (${candidate.commit}) would take the place of svc ${before.version}, "${place.path}"`,
      `it runs here, and takes the configuration "${before.config_path}"`,
      isManaged
        ? "the service manager would start the next daemon"
        : "the next daemon would be started in the background, with the variables of this shell",
    ]);
  }
  return exit.done;
}

async function perform(context: Context, plan: UpgradePlan): Promise<number> {
  const { before, candidate } = plan;
  const { kept, ms, adopted, endedMeanwhile } = await upgrade(context, plan);
  if (context.flags.json) {
    writeJson(context, {
      upgraded: true,
      ...facts(plan),
      kept,
      ms,
      took_over: adopted,
      ended_meanwhile: endedMeanwhile,
    });
  } else {
    writeLines(context, [
      `the program before is kept as "${kept}", the database before as "${before.data_dir}/svc.db.before-upgrade"`,
      `upgraded from svc ${before.version} to ${candidate.version}: ${durationWords(ms)} without a daemon, ` +
      `${runs(adopted)} went on`,
    ]);
  }
  return exit.done;
}

function facts({ before, candidate, place, isManaged }: UpgradePlan): object {
  return {
    from: { version: before.version },
    to: { version: candidate.version, commit: candidate.commit, schema: candidate.schema },
    program: place.path,
    service_managed: isManaged,
  };
}
