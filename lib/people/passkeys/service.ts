import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import type { UserActor } from "../../access/actor.ts";
import { requireSession } from "../../access/credentials.ts";
import type { AccountScope, UserScope } from "../../access/scope.ts";
import { AppError, conflict, forbidden, notFound } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { transact } from "../../store/transact.ts";
import { confirmPassword } from "../throttling/confirm_password.ts";
import { getUserEntry, getUserRow } from "../../model/accounts.ts";
import { keepChallenge, takeChallenge } from "./challenges.ts";
import type { RelyingParty } from "./relying_party.ts";
import {
  findPasskey,
  insertPasskey,
  listPasskeyRows,
  PASSKEYS_MAX,
  removePasskey,
} from "./repository.ts";
import type { Attestation, PasskeyForm, PasskeyRow, PasskeyView } from "./schema.ts";

/** Returns an account's passkeys without their keys, for admins and the owner. */
export async function listPasskeys({ deps, userId }: AccountScope): Promise<PasskeyView[]> {
  const rows = await listPasskeyRows(deps.kv, userId);
  return rows.map(({ id, row: { name, created, last_used, synced } }) => ({
    id,
    name,
    created,
    last_used,
    synced,
  }));
}

/**
 * Returns the options for a browser that creates a passkey for the actor's own account. Throws 400
 * for a wrong password before the device creates one, because the device would keep it.
 */
export async function newPasskeyOptions(
  { deps, actor }: UserScope,
  rp: RelyingParty,
  password: string,
) {
  const holder = holderOf(actor);
  await confirmPassword(deps, actor, password);
  const own = await listPasskeyRows(deps.kv, actor.id);
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  const options = await generateRegistrationOptions({
    rpName: "Callboard",
    rpID: rp.id,
    userName: actor.username,
    userDisplayName: actor.name,
    userID: new TextEncoder().encode(String(actor.id)),
    attestationType: "none",
    excludeCredentials: own.map(({ row }) => ({ id: row.credential_id })),
    // The passkey signs in without a username, because the device knows the account and its owner.
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  await keepChallenge(deps, holder, options.challenge);
  return options;
}

/** Adds the passkey that the browser created. Throws 400 for one that was not requested here. */
export async function addPasskey(
  { deps, actor }: UserScope,
  rp: RelyingParty,
  { name, credential, current_password = "" }: PasskeyForm,
): Promise<void> {
  const made = await verifyNew(await takeChallenge(deps, holderOf(actor)), rp, credential);
  await confirmPassword(deps, actor, current_password);
  if ((await listPasskeyRows(deps.kv, actor.id)).length >= PASSKEYS_MAX) {
    throw conflict("errors.too_many_passkeys", { max: PASSKEYS_MAX });
  }
  const row = { ...made, name, created: deps.clock.now().toISOString(), last_used: null };
  await transact(deps.kv, async (op) => {
    const user = await getUserEntry(deps.kv, actor.id);
    if (await findPasskey(deps.kv, row.credential_id)) throw refused();
    op.check(user);
    insertPasskey(op, actor.id, row);
    recordEvent(op, deps, actor, { ...eventOf(user.value, name), action: "passkey_added" });
  });
}

/** Removes a passkey by its id. Requires the password for one's own. Throws not found. */
export async function deletePasskey(
  { deps, actor, userId }: AccountScope,
  id: string,
  password = "",
): Promise<void> {
  requireSession(actor);
  const user = await getUserRow(deps.kv, userId);
  const found = (await listPasskeyRows(deps.kv, userId)).find((passkey) => passkey.id === id);
  if (!found) throw notFound();
  if (actor.id === userId) await confirmPassword(deps, actor, password);
  const op = deps.kv.atomic();
  removePasskey(op, userId, id);
  recordEvent(op, deps, actor, { ...eventOf(user, found.row.name), action: "passkey_removed" });
  await op.commit();
}

/**
 * Returns the holder of a challenge. Throws 403 for external accounts, because they sign in through
 * their provider, and a passkey would still work after they leave it.
 */
function holderOf(actor: UserActor): string {
  const hash = requireSession(actor);
  if (actor.external) throw forbidden();
  return `session ${hash}`;
}

async function verifyNew(
  challenge: string | null,
  rp: RelyingParty,
  response: Attestation,
): Promise<Omit<PasskeyRow, "name" | "created" | "last_used">> {
  if (challenge === null) throw new AppError(400, "errors.passkey_over");
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const { registrationInfo } = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: rp.origin,
    expectedRPID: rp.id,
    requireUserVerification: true,
  }).catch(() => ({ registrationInfo: undefined }));
  if (!registrationInfo) throw refused();
  const { credential, credentialBackedUp: synced } = registrationInfo;
  const { id: credential_id, publicKey: public_key, counter } = credential;
  return { credential_id, public_key, counter, transports: credential.transports ?? [], synced };
}

const refused = () => new AppError(400, "errors.passkey");

const eventOf = ({ id, username }: Pick<UserActor, "id" | "username">, passkey: string) =>
  ({ projectId: 0, object: "user", id, name: username, params: { passkey } }) as const;
