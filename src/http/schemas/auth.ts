import { z } from "@hono/zod-openapi";

export const authStatusSchema = z.object({
  auth_required: z.boolean(),
  authenticated: z.boolean(),
}).openapi("AuthStatus");

export const challengeSchema = z.object({
  nonce: z.string().openapi({
    description: "32 bytes as hex; its text is the salt; works once, for 5 minutes",
  }),
  iterations: z.int(),
}).openapi("AuthChallenge");

export const loginBody = z.strictObject({
  $schema: z.string().optional(),
  nonce: z.string(),
  response: z.string().openapi({
    description:
      "PBKDF2-HMAC-SHA256(password, salt = the nonce's text as UTF-8, iterations, 32 bytes) as hex",
  }),
});

export const sessionSchema = z.object({
  token: z.string(),
  expires_at: z.string().openapi({ format: "date-time" }),
}).openapi("AuthSession");

export const launchTicketSchema = z.object({ ticket: z.string(), url: z.string() }).openapi("LaunchTicket");

export const localCredentialsSchema = z.object({
  $schema: z.string().optional().openapi({ format: "uri", readOnly: true }),
  ephemeral: z.boolean(),
  password: z.string(),
}).openapi("LocalCredentialsBody");

export type LocalCredentialsJson = z.infer<typeof localCredentialsSchema>;
