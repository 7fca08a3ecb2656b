import { z } from "zod";
import { composeSection, daemonSection, storageSection } from "./daemon_schema.ts";
import { NAME_PATTERN } from "./gather.ts";
import { notifierSections, notifySection, routeSection } from "./notify_schema.ts";
import { FALLBACK } from "./section.ts";
import { defaultsSection, overrideSection, serviceSection, taskSection } from "./unit_schema.ts";

/** The JSON Schema (2020-12) of a configuration file, made from the schemas that the loader checks with. */
export function configJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(rootSchema(), {
    target: "draft-2020-12",
    io: "input",
    // Values are checked by readers, whose raw form is told beside them.
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      const own: Record<string, unknown> = jsonSchema;
      if (!(FALLBACK in own)) return;
      own["default"] = own[FALLBACK];
      delete own[FALLBACK];
    },
  });
}

function rootSchema(): z.ZodType {
  const name = z.string().regex(new RegExp(NAME_PATTERN));
  const compose = composeSection.schema;
  const [first, ...others] = Object.values(notifierSections).map(({ schema }) => schema);
  const notifier = z.union([first ?? z.never(), ...others]);
  return z.strictObject({
    daemon: daemonSection.schema.describe("Settings of the daemon.").optional(),
    storage: storageSection.schema.describe("Caps over all logs.").optional(),
    defaults: defaultsSection.schema.describe("What every unit inherits.").optional(),
    tasks: z.record(name, taskSection.schema).describe("Tasks by name: they run by schedule or request.")
      .optional(),
    services: z.record(name, serviceSection.schema).describe("Services by name: they run always.").optional(),
    compose: z.record(name, withOverrides(compose)).describe("Imports from container-compose files by alias.")
      .optional(),
    notify: notifySection.schema.describe("Settings of notifications.").optional(),
    notifiers: z.record(name, notifier).describe("Receivers of notifications by id.").optional(),
    route: z.array(routeSection.schema).describe("Which notices go to which notifiers.").optional(),
  }).meta({
    title: "svc configuration",
    description: "The configuration file of svc, written in TOML.",
    ...runIsDue,
  });
}

const needsRun = { additionalProperties: { required: ["run"] } };

/** Each unit needs a script, unless [defaults] has one. */
const runIsDue = {
  if: { not: { required: ["defaults"], properties: { defaults: { required: ["run"] } } } },
  then: { properties: { tasks: needsRun, services: needsRun } },
};

/** Beside its own keys, a compose import has a table for each service that is to differ. */
function withOverrides(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodObject ? schema.catchall(overrideSection.schema) : schema;
}
