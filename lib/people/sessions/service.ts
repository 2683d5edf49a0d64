import { accessChanged } from "../../access/changed.ts";
import { removeSession, signInClient, type SignInOrigin } from "../../access/sessions.ts";
import { isBcrypt } from "../../access/bcrypt.ts";
import type { UserActor } from "../../access/actor.ts";
import type { Deps, PublicDeps } from "../../access/deps.ts";
import { AppError } from "../../base/errors.ts";
import type { CodeForm } from "../factors/schema.ts";
import { takeCode } from "../factors/use_code.ts";
import { type RelyingParty, relyingParty } from "../passkeys/relying_party.ts";
import { listIdentityRows } from "../identities/repository.ts";
import { passkeyOptions, signInWithPasskey } from "./passkey_sign_in.ts";
import { findUserByLogin } from "../users/repository.ts";
import type { UserRow } from "../../model/account_row.ts";
import { endCodeStep, isCodeStep, takeTry } from "./code_step.ts";
import { completeSignIn, openSession, type SignedIn, type SignInResult } from "./complete.ts";
import {
  LDAP_PROVIDER,
  linkDirectory,
  offersDirectory,
  signInByDirectory,
} from "./directory_sign_in.ts";
import { findKnownDevice } from "../throttling/known_devices.ts";
import type { SignInForm, SignInOptions, VerifiedSignIn } from "./schema.ts";
import { withinLimit } from "../throttling/within_limit.ts";
import { recordEvent } from "../../events/record.ts";

export const signInOptions = ({ config, providers }: PublicDeps): SignInOptions => ({
  oidc_providers: providers.list.map(({ settings: { id, display_name, color, icon }, isDown }) => ({
    id,
    name: display_name,
    color,
    icon,
    available: !isDown(),
  })),
  login_with_password: config.passwordSignIn,
});

/** Returns the providers that report groups, for which there may be rules. */
export const groupProviders = (deps: PublicDeps): { id: string; name: string }[] => [
  ...signInOptions(deps).oidc_providers,
  ...deps.directory ? [{ id: LDAP_PROVIDER, name: "LDAP" }] : [],
];

/**
 * Signs in by username or e-mail address, or starts the code step. Throws 401 for every kind of
 * failure. An unknown account takes the same time as a wrong password.
 */
export async function signIn(
  deps: PublicDeps,
  { auth, password }: SignInForm,
  origin: SignInOrigin,
): Promise<SignInResult> {
  if (!deps.config.passwordSignIn) throw new AppError(403, "errors.sign_in_disabled");
  // Letters that can be encoded in several ways count as equal, because systems send any of them.
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
    // A name that was typed may be a password, so only names of accounts are logged.
    const person = user && { user: user.username };
    deps.log("warn", "sign_in_failed", { address: origin.address, ...person });
    if (user) await reportFailures(deps, user, failures, origin);
    throw new AppError(401, "errors.sign_in_failed");
  });
}

/**
 * Whether an account's passwords stay here. Those of local accounts are sent to the directory only
 * if they are linked with it.
 */
const isOnlyLocal = async ({ kv }: Deps, user: UserRow | null): Promise<boolean> =>
  user !== null && !user.external &&
  !(await listIdentityRows(kv, user.id)).some(({ kind }) => kind === "ldap");

async function provePassword(
  { passwords }: Deps,
  user: UserRow | null,
  password: string,
): Promise<VerifiedSignIn | null> {
  const encoded = user && !user.external ? user.password : null;
  const isRight = await passwords.verify(password, encoded);
  if (!isRight || !user || !encoded) return null;
  const fresh = isBcrypt(encoded) ? await passwords.hash(password) : null;
  return { userId: user.id, way: "password", password: encoded, fresh };
}

/**
 * Signs in with the code that was requested. With `remember`, this browser is not asked for one for
 * 30 days. `step` is the cookie of the first step. Throws 401, and 429 after too many guesses.
 */
export async function signInWithCode(
  deps: PublicDeps,
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

/** Returns this server as passkeys know it; null if no one can sign in with them. */
export const passkeysHere = ({ config }: PublicDeps, url: URL): RelyingParty | null =>
  config.passwordSignIn ? relyingParty(config, url) : null;

export { linkDirectory, offersDirectory, passkeyOptions, signInWithPasskey };

/** Whether a cookie's text is from a sign-in that still waits for its code. */
export const waitsForCode = isCodeStep;

/** Ends the session that the actor uses. It does not end an API token. */
export async function signOut(deps: PublicDeps, actor: UserActor | null): Promise<void> {
  if (actor?.credential.kind !== "session") return;
  const op = deps.kv.atomic();
  removeSession(op, actor.id, actor.credential.hash);
  await op.commit();
  await accessChanged(deps, { project_id: null, user_id: actor.id });
}

/**
 * Anyone mistypes, so failures are reported only from this number in a row. The limiter keeps the
 * reports few.
 */
const TOLD_FROM = 5;

/** Records in an account's events that sign-ins to it keep failing. */
async function reportFailures(
  deps: Pick<Deps, "kv" | "clock">,
  { id, username: name }: UserRow,
  count: number,
  origin: SignInOrigin,
): Promise<void> {
  if (count < TOLD_FROM) return;
  const nobody = { kind: "server", id: 0, projectId: 0, client: signInClient(origin) } as const;
  const event = { projectId: 0, object: "user", id, name, action: "sign_ins_failed" } as const;
  const op = deps.kv.atomic();
  recordEvent(op, deps, nobody, { ...event, params: { count, address: origin.address } });
  await op.commit();
}
