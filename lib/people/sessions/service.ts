import { accessChanged } from "../../access/changed.ts";
import { insertSession, removeSession, type SignInOrigin } from "../../access/sessions.ts";
import { isBcrypt } from "../../access/password_job.ts";
import type { UserActor } from "../../access/actor.ts";
import type { Deps } from "../../access/deps.ts";
import { AppError } from "../../base/errors.ts";
import { transact } from "../../kv/transact.ts";
import { findUserByLogin } from "../users/repository.ts";
import { findKnownDevice, newDeviceCookie, rememberNetwork } from "./known_devices.ts";
import { forgiveAttempt, reserveAttempt } from "./limiter.ts";
import type { SignInForm, SignInOptions } from "./schema.ts";

/** How one can sign in here. */
export const signInOptions = ({ config }: Deps): SignInOptions => ({
  oidc_providers: [],
  login_with_password: config.passwordSignIn,
});

/** What a sign-in brings, for the cookies. */
export interface SignedIn {
  token: string;
  /** By which the account will know this browser; null for one that it knows. */
  device: string | null;
}

/**
 * Signs in by username or e-mail address.
 * Throws 401 for whatever is wrong: an unknown account takes the same time as a wrong password.
 */
export async function signIn(
  deps: Deps,
  { auth, password }: SignInForm,
  origin: SignInOrigin,
): Promise<SignedIn> {
  const { kv, clock } = deps;
  if (!deps.config.passwordSignIn) throw new AppError(403, "errors.sign_in_disabled");
  const userId = (await findUserByLogin(kv, auth))?.value.id ?? 0;
  const known = await findKnownDevice(deps, userId, origin);
  const attempt = { login: auth, address: origin.address, known };
  await reserveAttempt(kv, clock.now(), attempt);
  const verified = await verify(deps, auth, password);
  if (!verified) {
    deps.log("warn", "sign_in_failed", { address: origin.address });
    throw new AppError(401, "errors.sign_in_failed");
  }
  const fresh = isBcrypt(verified.encoded) ? await deps.passwords.hash(password) : null;
  const token = await openSession(deps, verified, origin, fresh);
  await forgiveAttempt(kv, attempt);
  const isKnown = known?.kind === "browser";
  return { token, device: isKnown ? null : await newDeviceCookie(deps, verified.userId) };
}

interface Verified {
  login: string;
  userId: number;
  /** The encoded hash that the password was checked against. */
  encoded: string;
}

async function verify(deps: Deps, login: string, password: string): Promise<Verified | null> {
  const user = (await findUserByLogin(deps.kv, login))?.value;
  const encoded = user && !user.external ? user.password : null;
  const isRight = await deps.passwords.verify(password, encoded);
  return isRight && user && encoded ? { login, userId: user.id, encoded } : null;
}

/**
 * Opens a session, unless the password was changed while it was being checked. `fresh` is its hash
 * as it is made here, where the account came with another server's.
 */
function openSession(
  deps: Deps,
  verified: Verified,
  origin: SignInOrigin,
  fresh: string | null,
): Promise<string> {
  return transact(deps.kv, async (op) => {
    const entry = await findUserByLogin(deps.kv, verified.login);
    if (entry?.value.id !== verified.userId || entry.value.password !== verified.encoded) {
      throw new AppError(401, "errors.sign_in_failed");
    }
    op.check(entry);
    if (fresh) op.set(entry.key, { ...entry.value, password: fresh });
    rememberNetwork(op, verified.userId, origin.address);
    return insertSession(op, deps.clock.now(), verified.userId, origin).text;
  });
}

/** Ends the session that the actor speaks through; an API token is not ended by this. */
export async function signOut(deps: Deps, actor: UserActor | null): Promise<void> {
  if (actor?.credential.kind !== "session") return;
  const op = deps.kv.atomic();
  removeSession(op, actor.id, actor.credential.hash);
  await op.commit();
  await accessChanged(deps, { project_id: null, user_id: actor.id });
}
