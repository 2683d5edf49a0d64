import type { UserActor } from "../../access/actor.ts";
import { accessChanged } from "../../access/changed.ts";
import { requireSession } from "../../access/credentials.ts";
import type { Deps } from "../../access/deps.ts";
import type { AccountScope, UserScope } from "../../access/scope.ts";
import { AppError, conflict, forbidden } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { rowKeys } from "../../kv/keys.ts";
import { transact } from "../../kv/transact.ts";
import { confirmPassword } from "../users/confirm_password.ts";
import { getUserEntry } from "../users/repository.ts";
import { hashRecoveryCode, newRecoveryCodes } from "./recovery_codes.ts";
import { findSecondFactor, forgetTrustedBrowsers } from "./repository.ts";
import type { CodeForm, EnrolForm, SecondFactorView } from "./schema.ts";
import { openSetup, sealTotp, type Setup, setUp } from "./secret.ts";
import { matchTotp } from "./totp.ts";
import { takeCode, wrongCode } from "./use_code.ts";

/** What guesses of somebody who is signed in are counted by. */
const SIGNED_IN = "signed in";

/** An account's second factor, without what is secret; null when it has none. */
export async function getSecondFactor(
  { deps, userId }: AccountScope,
): Promise<SecondFactorView | null> {
  const { value } = await findSecondFactor(deps.kv, userId);
  return value && { since: value.created, recovery_codes: value.recovery.length };
}

/** A secret for the app; with `sealed` the one that a form came with. */
export async function prepareSecondFactor(
  { deps, actor }: UserScope,
  sealed?: string,
): Promise<Setup> {
  return await setUp(
    deps.secrets,
    actor.username,
    requireSession(actor),
    deps.clock.now(),
    sealed,
  );
}

/**
 * Sets the second factor up, once the app has shown a code of its secret. Answers the recovery codes,
 * which nobody sees again. Throws 409 when there is one already.
 */
export async function addSecondFactor(
  { deps, actor }: UserScope,
  { setup, code, current_password = "" }: EnrolForm,
): Promise<string[]> {
  const now = deps.clock.now();
  const secret = await openSetup(deps.secrets, setup, requireSession(actor), now);
  if (!secret) throw new AppError(400, "errors.setup_over");
  await confirmPassword(deps, actor, current_password);
  const step = matchTotp(secret, code, now, -1);
  if (step === null) throw wrongCode();
  const codes = newRecoveryCodes();
  const sealed = await sealTotp(deps.secrets, secret);
  await transact(deps.kv, async (op) => {
    const user = await getUserEntry(deps.kv, actor.id);
    if (user.value.second_factor) throw conflict("errors.has_second_factor");
    op.check(user).set(user.key, { ...user.value, second_factor: true });
    op.set(rowKeys.secondFactor(actor.id), {
      created: now.toISOString(),
      secret: sealed,
      last_step: step,
      recovery: codes.map(hashRecoveryCode),
    });
    recordEvent(op, deps, actor, { ...eventOf(user.value), action: "second_factor_added" });
  });
  return codes;
}

/** Makes new recovery codes in the place of all earlier ones; asks for a code that still counts. */
export async function renewRecoveryCodes(
  { deps, actor }: UserScope,
  { code }: CodeForm,
): Promise<string[]> {
  requireSession(actor);
  await takeCode(deps, actor.id, code, SIGNED_IN);
  const codes = newRecoveryCodes();
  await transact(deps.kv, async (op) => {
    const entry = await findSecondFactor(deps.kv, actor.id);
    if (!entry.value) throw wrongCode();
    op.check(entry).set(entry.key, { ...entry.value, recovery: codes.map(hashRecoveryCode) });
    recordEvent(op, deps, actor, { ...eventOf(actor), action: "recovery_codes_renewed" });
  });
  return codes;
}

/** Removes one's own second factor; asks for a code, once more. */
export async function removeSecondFactor(
  { deps, actor }: UserScope,
  { code }: CodeForm,
): Promise<void> {
  requireSession(actor);
  await takeCode(deps, actor.id, code, SIGNED_IN);
  await drop(deps, actor, actor.id, "second_factor_removed");
}

/** Removes the second factor of somebody who lost it: an admin's to do, and not of oneself. */
export async function resetSecondFactor(
  { deps, actor, userId }: AccountScope<ChangeDeps>,
): Promise<void> {
  requireSession(actor);
  if (actor.id === userId) throw forbidden();
  await drop(deps, actor, userId, "second_factor_reset");
}

type ChangeDeps = Pick<Deps, "kv" | "clock" | "hub">;

/** Browsers that were remembered are forgotten with it: they would skip the next one. */
async function drop(deps: ChangeDeps, actor: UserActor, userId: number, action: string) {
  await transact(deps.kv, async (op) => {
    const user = await getUserEntry(deps.kv, userId);
    op.check(user).set(user.key, { ...user.value, second_factor: false });
    op.delete(rowKeys.secondFactor(userId));
    recordEvent(op, deps, actor, { ...eventOf(user.value), action });
  });
  await forgetTrustedBrowsers(deps.kv, userId);
  await accessChanged(deps, { project_id: null, user_id: userId });
}

const eventOf = ({ id, username }: Pick<UserActor, "id" | "username">) =>
  ({ projectId: 0, object: "user", id, name: username }) as const;
