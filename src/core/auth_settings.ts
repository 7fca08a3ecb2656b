import { Fault } from "../fault.ts";

/** Where an answer that tells no password names the file that it stands in. */
export const passwordFile = "password_file";

/** How the daemon is told to authenticate. */
export interface AuthSettings {
  mode: "on" | "off";
  /** Absent: one is made for each life of the daemon. */
  password?: string;
  /** The file that the password came from, where a service manager read one. */
  passwordFile?: string;
}

/**
 * Reads `SVC_AUTH` and `SVC_PASSWORD`; an empty variable counts as unset. Throws `Fault` for a value that is neither
 * on nor off, and for both variables at once, since that says two things.
 */
export function authSettings(env: Readonly<Record<string, string | undefined>>): AuthSettings {
  const { SVC_AUTH: auth, SVC_PASSWORD: password, SVC_ENV_FILE: passwordFile } = env;
  const mode = auth?.toLowerCase();
  if (mode && mode !== "on" && mode !== "off") {
    throw new Fault("invalid", `cannot start with SVC_AUTH "${auth}": set it to on or off, or leave it out`);
  }
  if (mode && password) {
    throw new Fault(
      "invalid",
      `cannot start with both SVC_AUTH "${auth}" and SVC_PASSWORD: leave SVC_AUTH out to use the password, ` +
        "or SVC_PASSWORD to switch authentication on or off",
    );
  }
  return {
    mode: mode === "off" ? "off" : "on",
    ...(password ? { password, ...(passwordFile ? { passwordFile } : {}) } : {}),
  };
}
