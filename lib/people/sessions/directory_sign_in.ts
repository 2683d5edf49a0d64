import type { Deps } from "../../access/deps.ts";
import type { SignInOrigin } from "../../access/sessions.ts";
import { AppError } from "../../base/errors.ts";
import { describeError } from "../../base/log.ts";
import type { SignInResult } from "./complete.ts";
import { signInExternal } from "./external.ts";
import type { SignInForm } from "./schema.ts";

/** What rules and accounts call the directory. */
export const LDAP_PROVIDER = "ldap";

/**
 * Signs in somebody of the directory; null where there is none, or it knows no such name with this
 * password. Throws 503 where it cannot be asked, and 403 as `signInExternal` does.
 */
export async function signInByDirectory(
  deps: Deps,
  { auth, password }: Pick<SignInForm, "auth" | "password">,
  origin: SignInOrigin,
): Promise<SignInResult | null> {
  const { directory } = deps;
  const found = directory && await directory.prove(auth, password).catch((error) => {
    deps.log("error", "directory_failed", describeError(error));
    throw new AppError(503, "errors.directory_away");
  });
  if (!found) return null;
  const proof = { kind: "ldap", provider: LDAP_PROVIDER, ...found } as const;
  return await signInExternal(deps, proof, { newAccounts: directory.newAccounts }, origin);
}
