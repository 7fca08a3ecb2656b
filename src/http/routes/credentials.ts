import { passwordFile } from "../../core/auth_settings.ts";
import type { Auth } from "../auth/auth.ts";
import { problem } from "../problems.ts";
import { newRoute } from "../route.ts";
import { newRouter } from "../router.ts";
import { localCredentialsSchema } from "../schemas/auth.ts";
import { answers, json } from "../schemas/request.ts";

const credentials = newRoute({
  method: "get",
  path: "/api/local/credentials",
  operationId: "getLocalCredentials",
  summary: "Get the generated password",
  tags: ["Login"],
  responses: answers({ 200: json(localCredentialsSchema, "The generated password; control socket only") }),
});

/** The password of this life of the daemon, for who can open the control socket. */
export function credentialRoutes(auth: Auth) {
  const { password } = auth.setup;
  return newRouter().openapi(credentials, (c) => {
    if (c.env.peer.kind !== "socket") {
      return problem(c, "forbidden", {
        detail: "the password is told over the control socket only",
      }) as never;
    }
    if (!auth.isOn) {
      return problem(c, "auth_off", { detail: "authentication is off: there is no password" }) as never;
    }
    if (!password.isGenerated) {
      const { file } = password;
      if (file === undefined) {
        return problem(c, "not_found", {
          detail:
            "the password is the one in SVC_PASSWORD, which the daemon does not tell; under a service manager " +
            "it stands in the environment file of the unit",
        }) as never;
      }
      return problem(c, "not_found", {
        detail: `the password is in "${file}", which the daemon does not tell: read SVC_PASSWORD there`,
        errors: [{ location: passwordFile, message: `it stands in "${file}"`, value: file }],
      }) as never;
    }
    return c.json({ ephemeral: true, password: password.text }, 200);
  });
}
