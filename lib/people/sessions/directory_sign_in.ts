import { requireSession } from "../../access/credentials.ts";
import type { AccountScope } from "../../access/scope.ts";
import type { Deps, PublicDeps } from "../../access/deps.ts";
import type { SignInOrigin } from "../../access/sessions.ts";
import { AppError, invalidField } from "../../base/errors.ts";
import { describeError } from "../../base/log.ts";
import { DirectoryFailure } from "../../ldap/failure.ts";
import { identityKey, type Proof } from "../identities/schema.ts";
import { linkIdentity } from "../identities/service.ts";
import { confirmPassword } from "../throttling/confirm_password.ts";
import { signInExternal, type SignInResult } from "./complete.ts";
import type { DirectoryLinkForm, SignInForm } from "./schema.ts";
import { withinLimit } from "../throttling/within_limit.ts";

/** Id of the directory in rules and accounts. */
export const LDAP_PROVIDER = "ldap";

/** Whether people of a directory can sign in here. */
export const offersDirectory = ({ config, directory }: PublicDeps) =>
  config.passwordSignIn && directory !== null;

/**
 * Signs in a person of the directory. Returns null if there is no directory, or if it does not know
 * this name with this password. Throws 503 if it is unavailable, and 403 if it or `signInExternal`
 * refuses the person.
 */
export async function signInByDirectory(
  deps: Deps,
  { auth, password }: Pick<SignInForm, "auth" | "password">,
  origin: SignInOrigin,
): Promise<SignInResult | null> {
  const proof = await proveByDirectory(deps, auth, password);
  if (!proof) return null;
  const { newAccounts } = deps.directory!;
  return await signInExternal(deps, proof, { newAccounts }, origin).catch((error) => {
    if (error instanceof AppError) {
      const { subject, profile: { username } } = proof;
      deps.log("warn", "directory_refused", { person: username, subject, why: error.key });
    }
    throw error;
  });
}

/**
 * Links an account with a person of the directory, who proves their identity there. Throws 400 for
 * a wrong password, here or there, 403 for an API token, 409 as `linkIdentity` does, and 429 after
 * too many guesses.
 */
export async function linkDirectory(
  scope: AccountScope,
  { link_password, directory_login, directory_password }: DirectoryLinkForm,
): Promise<void> {
  const { deps, actor, userId } = scope;
  if (!offersDirectory(deps)) throw new AppError(403, "errors.sign_in_disabled");
  requireSession(actor);
  await confirmPassword(deps, actor, link_password ?? "", "link_password");
  const known = { kind: "browser", id: `${userId} links` } as const;
  const proof = await withinLimit(
    deps,
    { login: "", address: "", known },
    async () =>
      await proveByDirectory(deps, directory_login, directory_password) ??
        refuse("directory_password", "errors.directory.refused"),
  );
  await linkIdentity(scope, proof);
}

const refuse = (...wrong: Parameters<typeof invalidField>): never => {
  throw invalidField(...wrong);
};

async function proveByDirectory(
  { directory, log }: Pick<Deps, "directory" | "log">,
  login: string,
  password: string,
): Promise<Proof | null> {
  try {
    const found = await directory?.prove(login, password);
    if (found && !identityKey.safeParse(found).success) {
      throw new DirectoryFailure("misconfigured", "the id of the entry is too long");
    }
    return found ? { kind: "ldap", provider: LDAP_PROVIDER, ...found } : null;
  } catch (error) {
    if (!(error instanceof DirectoryFailure)) {
      log("error", "directory_failed", describeError(error));
      throw new AppError(503, "errors.directory.away");
    }
    const { reason, why, person } = error;
    const isBroken = reason === "away" || reason === "misconfigured";
    log(isBroken ? "error" : "warn", isBroken ? "directory_failed" : "directory_refused", {
      ...person && { person },
      why,
    });
    if (reason === "locked") return null;
    throw new AppError(isBroken ? 503 : 403, `errors.directory.${reason}`);
  }
}
