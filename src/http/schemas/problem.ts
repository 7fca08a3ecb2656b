import { z } from "@hono/zod-openapi";

export const errorDetailSchema = z.object({
  location: z.string().optional(),
  message: z.string().optional(),
  value: z.unknown().optional(),
}).openapi("ErrorDetail");

export const problemSchema = z.object({
  $schema: z.string().optional().openapi({ format: "uri", readOnly: true }),
  type: z.string().optional().openapi({ format: "uri", default: "about:blank" }),
  title: z.string().optional(),
  status: z.int().optional(),
  detail: z.string().optional(),
  instance: z.string().optional().openapi({ format: "uri" }),
  errors: z.array(errorDetailSchema).nullable().optional(),
}).openapi("ErrorModel");

export type ProblemJson = z.infer<typeof problemSchema>;
