import { accessChanged } from "../../access/changed.ts";
import { removeSession, type SignInOrigin } from "../../access/sessions.ts";
import { isBcrypt } from "../../access/password_job.ts";
import type { UserActor } from "../../access/actor.ts";
import type { Deps } from "../../access/deps.ts";
import { AppError } from "../../base/errors.ts";
import type { CodeForm } from "../factors/schema.ts";
import { takeCode } from "../factors/use_code.ts";
import { type RelyingParty, relyingParty } from "../passkeys/relying_party.ts";
import { listIdentityRows } from "../identities/repository.ts";
import { passkeyOptions, signInWithPasskey } from "./passkey_sign_in.ts";
import { findUserByLogin } from "../users/repository.ts";
import type { UserRow } from "../users/schema.ts";
import { endCodeStep, isCodeStep, takeTry } from "./code_step.ts";
import { completeSignIn, openSession, type SignedIn, type SignInResult } from "./complete.ts";
import {
  LDAP_PROVIDER,
  linkDirectory,
  offersDirectory,
  signInByDirectory,
} from "./directory_sign_in.ts";
import { tellFailures } from "./failures.ts";
import { findKnownDevice } from "./known_devices.ts";
import type { Proved, SignInForm, SignInOptions } from "./schema.ts";
import { withinLimit } from "./within_limit.ts";

/** How one can sign in here. */
export const signInOptions = ({ config, providers }: Deps): SignInOptions => ({
  oidc_providers: providers.list.map(({ settings: { id, display_name, color, icon }, isDown }) => ({
    id,
    name: display_name,
    color,
    icon,
    available: !isDown(),
  })),
  login_with_password: config.passwordSignIn,
});

/** What says groups, for which there may be rules. */
export const groupProviders = (deps: Deps): { id: string; name: string }[] => [
  ...signInOptions(deps).oidc_providers,
  ...deps.directory ? [{ id: LDAP_PROVIDER, name: "LDAP" }] : [],
];

/**
 * Signs in by username or e-mail address, unless a code is asked for before. Throws 401 for whatever
 * is wrong: an unknown account takes the same time as a wrong password.
 */
export async function signIn(
  deps: Deps,
  { auth, password }: SignInForm,
  origin: SignInOrigin,
): Promise<SignInResult> {
  if (!deps.config.passwordSignIn) throw new AppError(403, "errors.sign_in_disabled");
  // Letters that are written in several ways are one: systems send what they like.
  const login = auth.normalize("NFKC");
  const found = await findUserByLogin(deps.kv, auth) ?? await findUserByLogin(deps.kv, login);
  const user = found?.value ?? null;
  const known = await findKnownDevice(deps, user?.id ?? 0, origin);
  const attempt = { login, address: origin.address, known };
  return await withinLimit(deps, attempt, async (failures) => {
    const proved = await provePassword(deps, user, password);
    const step = proved
      ? await completeSignIn(deps, proved, origin)
      : await isOnlyLocal(deps, user)
      ? null
      : await signInByDirectory(deps, { auth, password }, origin);
    if (step) return step;
    // What was typed as a name may be a password: only names of accounts are logged.
    const person = user && { user: user.username };
    deps.log("warn", "sign_in_failed", { address: origin.address, ...person });
    if (user) await tellFailures(deps, user, failures, origin);
    throw new AppError(401, "errors.sign_in_failed");
  });
}

/** Passwords of local accounts are not sent to the directory, unless they are linked with it. */
const isOnlyLocal = async ({ kv }: Deps, user: UserRow | null): Promise<boolean> =>
  user !== null && !user.external &&
  !(await listIdentityRows(kv, user.id)).some(({ kind }) => kind === "ldap");

async function provePassword(
  { passwords }: Deps,
  user: UserRow | null,
  password: string,
): Promise<Proved | null> {
  const encoded = user && !user.external ? user.password : null;
  const isRight = await passwords.verify(password, encoded);
  if (!isRight || !user || !encoded) return null;
  const fresh = isBcrypt(encoded) ? await passwords.hash(password) : null;
  return { userId: user.id, way: "password", password: encoded, fresh };
}

/**
 * Signs in with the code that was asked for; with `remember` this browser is asked for none for a
 * month. `step` is the cookie of the first half. Throws 401, and 429 after too many guesses.
 */
export async function signInWithCode(
  deps: Deps,
  step: string | undefined,
  { code, remember }: CodeForm,
  origin: SignInOrigin,
): Promise<SignedIn> {
  const before = await takeTry(deps, step);
  const known = await findKnownDevice(deps, before.userId, origin);
  const way = await takeCode(deps, before.userId, code, known?.id ?? "from elsewhere")
    .catch((error) => {
      deps.log("warn", "code_refused", { address: origin.address });
      throw error;
    });
  const further = { hasCode: true, trust: remember === "true" };
  const signedIn = await openSession(deps, { ...before, way }, origin, further);
  await endCodeStep(deps.kv, step!);
  return signedIn!;
}

/** This server as passkeys know it; null where they sign in nobody. */
export const passkeysHere = ({ config }: Deps, url: URL): RelyingParty | null =>
  config.passwordSignIn ? relyingParty(config, url) : null;

export { linkDirectory, offersDirectory, passkeyOptions, signInWithPasskey };

/** Whether a cookie's text is of a sign-in that still waits for its code. */
export const waitsForCode = isCodeStep;

/** Ends the session that the actor speaks through; an API token is not ended by this. */
export async function signOut(deps: Deps, actor: UserActor | null): Promise<void> {
  if (actor?.credential.kind !== "session") return;
  const op = deps.kv.atomic();
  removeSession(op, actor.id, actor.credential.hash);
  await op.commit();
  await accessChanged(deps, { project_id: null, user_id: actor.id });
}
