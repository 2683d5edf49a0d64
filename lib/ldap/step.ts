import { ResultCodeError } from "ldapts";
import { whyOf } from "../base/why.ts";
import { DirectoryFailure } from "./failure.ts";

/** Runs one step of a directory request. A failure names the settings to check. */
export async function directoryStep<T>(
  name: string,
  settings: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DirectoryFailure) throw error;
    const { cause, text } = whyOf(error);
    // A server that answers is available, so it is the settings that it refuses.
    const reason = error instanceof ResultCodeError ? "misconfigured" : "away";
    const named = cause === "untrusted" || cause === "expired"
      ? "CALLBOARD_LDAP_CA_FILE"
      : cause || reason === "away"
      ? "CALLBOARD_LDAP_URL"
      : settings;
    throw new DirectoryFailure(reason, `${name}: ${text}; see ${named}`, undefined, {
      cause: error,
    });
  }
}
