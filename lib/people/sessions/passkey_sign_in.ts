import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import type { Deps, PublicDeps } from "../../access/deps.ts";
import type { SignInOrigin } from "../../access/sessions.ts";
import { AppError } from "../../base/errors.ts";
import { networkOf } from "../../base/network.ts";
import { keepChallenge, takeChallenge } from "../passkeys/challenges.ts";
import type { RelyingParty } from "../passkeys/relying_party.ts";
import { findPasskey } from "../passkeys/repository.ts";
import type { Assertion, PasskeyRow } from "../passkeys/schema.ts";
import { findUser } from "../../model/accounts.ts";
import { completeSignIn, type SignInResult } from "./complete.ts";
import { reserveAttempt } from "../throttling/limiter.ts";

/** Returns the options for a browser to sign in with a passkey; `holder` is for its cookie. */
export async function passkeyOptions(deps: PublicDeps, rp: RelyingParty, address: string) {
  // Each challenge is a row. The limit keeps visitors from filling the store.
  await reserveAttempt(deps.kv, deps.clock.now(), { challengesOf: networkOf(address) });
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  const options = await generateAuthenticationOptions({
    rpID: rp.id,
    userVerification: "required",
  });
  const holder = crypto.randomUUID();
  await keepChallenge(deps, holder, options.challenge);
  return { options, holder };
}

/**
 * Signs in with a passkey, which proves both factors: possession of a device, and a finger or a
 * PIN. Throws 401 for every kind of failure.
 */
export async function signInWithPasskey(
  deps: PublicDeps,
  rp: RelyingParty,
  holder: string | undefined,
  assertion: Assertion,
  origin: SignInOrigin,
): Promise<SignInResult> {
  const challenge = holder ? await takeChallenge(deps, holder) : null;
  const found = await findPasskey(deps.kv, assertion.id);
  const user = found && await findUser(deps.kv, found.userId);
  if (!challenge || !found || !user || user.value.external) throw refuse(deps, origin);
  const { entry } = found;
  const { authenticationInfo } = await verify(entry.value, challenge, rp, assertion)
    .catch((error: Error) => {
      throw refuse(deps, origin, error.message);
    });
  const used = {
    ...entry.value,
    counter: authenticationInfo.newCounter,
    last_used: deps.clock.now().toISOString(),
  };
  const { ok } = await deps.kv.atomic().check(entry).set(entry.key, used).commit();
  if (!ok) throw refuse(deps, origin, "used or removed at the same time");
  return await completeSignIn(deps, { userId: found.userId, way: "passkey" }, origin);
}

/**
 * Throws for another challenge, origin, name or key, and if the device's counter has not gone up.
 */
async function verify(row: PasskeyRow, challenge: string, rp: RelyingParty, assertion: Assertion) {
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const result = await verifyAuthenticationResponse({
    response: assertion as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: rp.origin,
    expectedRPID: rp.id,
    credential: {
      id: row.credential_id,
      publicKey: new Uint8Array(row.public_key),
      counter: row.counter,
    },
    requireUserVerification: true,
  });
  if (!result.verified) throw new Error("the signature is wrong");
  return result;
}

function refuse({ log }: Deps, { address }: SignInOrigin, why = "unknown or expired"): AppError {
  log("warn", "passkey_refused", { address, why });
  return new AppError(401, "errors.passkey");
}
