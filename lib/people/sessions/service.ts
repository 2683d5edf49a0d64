import { accessChanged } from "../../access/changed.ts";
import { removeSession, type SignInOrigin } from "../../access/sessions.ts";
import { isBcrypt } from "../../access/password_job.ts";
import type { UserActor } from "../../access/actor.ts";
import type { Deps } from "../../access/deps.ts";
import { AppError } from "../../base/errors.ts";
import { findUserByLogin } from "../users/repository.ts";
import { completeSignIn, type SignedIn } from "./complete.ts";
import { findKnownDevice } from "./known_devices.ts";
import { forgiveAttempt, reserveAttempt } from "./limiter.ts";
import type { SignInForm, SignInOptions } from "./schema.ts";

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
  const { userId: id, encoded } = verified;
  const signedIn = await completeSignIn(deps, { userId: id, password: encoded, fresh }, origin);
  await forgiveAttempt(kv, attempt);
  return signedIn;
}

interface Verified {
  userId: number;
  /** The encoded hash that the password was checked against. */
  encoded: string;
}

async function verify(deps: Deps, login: string, password: string): Promise<Verified | null> {
  const user = (await findUserByLogin(deps.kv, login))?.value;
  const encoded = user && !user.external ? user.password : null;
  const isRight = await deps.passwords.verify(password, encoded);
  return isRight && user && encoded ? { userId: user.id, encoded } : null;
}

/** Ends the session that the actor speaks through; an API token is not ended by this. */
export async function signOut(deps: Deps, actor: UserActor | null): Promise<void> {
  if (actor?.credential.kind !== "session") return;
  const op = deps.kv.atomic();
  removeSession(op, actor.id, actor.credential.hash);
  await op.commit();
  await accessChanged(deps, { project_id: null, user_id: actor.id });
}
