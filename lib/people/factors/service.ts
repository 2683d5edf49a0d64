import type { UserActor } from "../../access/actor.ts";
import { accessChanged } from "../../access/changed.ts";
import { requireSession } from "../../access/credentials.ts";
import type { Deps } from "../../access/deps.ts";
import type { AccountScope, UserScope } from "../../access/scope.ts";
import { AppError, conflict, forbidden } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import { confirmPassword } from "../throttling/confirm_password.ts";
import { getUserEntry } from "../../model/accounts.ts";
import { findSecondFactor, forgetTrustedBrowsers } from "./repository.ts";
import type { CodeForm, EnrolForm, SecondFactorView } from "./schema.ts";
import { openSetup, sealTotp, type Setup, setUp } from "./secret.ts";
import { matchTotp } from "./totp.ts";
import { hashRecoveryCode, newRecoveryCodes, takeCode, wrongCode } from "./use_code.ts";

/** Counter for the guesses of people who are signed in. */
const SIGNED_IN = "signed in";

/** Returns an account's second factor without its secrets; null if there is none. */
export async function getSecondFactor(
  { deps, userId }: AccountScope,
): Promise<SecondFactorView | null> {
  const { value } = await findSecondFactor(deps.kv, userId);
  return value && { since: value.created, recovery_codes: value.recovery.length };
}

/** Returns a secret for the app; with `sealed`, the one that came with a form. */
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
 * Sets up the second factor after the app has shown a code of its secret. Returns the recovery
 * codes, which are never shown again. Throws 409 if there already is a second factor.
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

/** Replaces all earlier recovery codes with new ones. Requires a valid code. */
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

/** Removes the actor's own second factor. Requires a valid code. */
export async function removeSecondFactor(
  { deps, actor }: UserScope,
  { code }: CodeForm,
): Promise<void> {
  requireSession(actor);
  await takeCode(deps, actor.id, code, SIGNED_IN);
  await drop(deps, actor, actor.id, "second_factor_removed");
}

/**
 * Removes the second factor of someone who lost it. Throws 403 for one's own, so only admins can.
 */
export async function resetSecondFactor(
  { deps, actor, userId }: AccountScope<ChangeDeps>,
): Promise<void> {
  requireSession(actor);
  if (actor.id === userId) throw forbidden();
  await drop(deps, actor, userId, "second_factor_reset");
}

type ChangeDeps = Pick<Deps, "kv" | "clock" | "hub">;

/** Removes a second factor and all trusted browsers, because they would skip the next one. */
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
