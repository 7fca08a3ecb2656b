import { z } from "@hono/zod-openapi";
import { problemTypeOf, untyped } from "../../core/problem_type.ts";
import { type FaultCode, faultCodes } from "../../fault.ts";

/** What no daemon sends: the command line alone has them. */
export const ofCommandLine: ReadonlySet<FaultCode> = new Set(["unavailable", "not_understood"]);

export const errorDetailSchema = z.object({
  location: z.string().optional(),
  message: z.string().optional(),
  value: z.unknown().optional(),
}).openapi("ErrorDetail");

export const problemSchema = z.object({
  $schema: z.string().optional().openapi({ format: "uri", readOnly: true }),
  type: z.string().optional().openapi({
    format: "uri",
    default: untyped,
    description:
      `What went wrong, for programs: \`${problemTypeOf("not_found")}\` and the like, by these codes: ` +
      `${
        faultCodes.filter((code) => !ofCommandLine.has(code)).join(", ")
      }. docs/errors.md tells their causes and ` +
      `cures. \`${untyped}\` where the status says it all.`,
  }),
  title: z.string().optional(),
  status: z.int().optional(),
  detail: z.string().optional(),
  instance: z.string().optional().openapi({ format: "uri" }),
  errors: z.array(errorDetailSchema).nullable().optional(),
}).openapi("ErrorModel");

export type ProblemJson = z.infer<typeof problemSchema>;
