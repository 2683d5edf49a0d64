import type { Deps } from "../../access/deps.ts";
import { insertSession, type SignInOrigin } from "../../access/sessions.ts";
import { AppError } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { transact } from "../../kv/transact.ts";
import { isTrustedBrowser, trustBrowser } from "../factors/trusted_browsers.ts";
import { findUser } from "../users/repository.ts";
import { beginCodeStep } from "./code_step.ts";
import { browserOf, newDeviceCookie, rememberNetwork } from "./known_devices.ts";
import type { SignInWay } from "./schema.ts";

/** That somebody is who they say, and how that was proved. */
export interface Proof {
  userId: number;
  way: SignInWay;
  /** The account's password as it was when that was proved: it has not been changed since. */
  encoded: string | null;
  /** The password's hash as it is made here, where it came with another server's. */
  fresh?: string | null;
}

/** What a sign-in brings, for the cookies. */
export interface SignedIn {
  kind: "signed_in";
  token: string;
  /** By which the account will know this browser; null for one that it knows. */
  device: string | null;
  /** By which the account asks this browser for no code; null where that was not wished. */
  trusted: string | null;
}

/** A code is asked for before there is a session. */
export interface CodeNeeded {
  kind: "code_needed";
  /** Of this sign-in, for this browser. */
  step: string;
}

/**
 * What follows every proof: a session, or the question for a code. The one place where a session is
 * made. Throws 401 when the account is gone, or its password was changed meanwhile.
 */
export async function enter(
  deps: Deps,
  proof: Proof,
  origin: SignInOrigin,
): Promise<SignedIn | CodeNeeded> {
  return await openSession(deps, proof, origin) ??
    { kind: "code_needed", step: await beginCodeStep(deps, proof) };
}

/** What else goes into the commit that makes a session. */
interface Further {
  /** Both were proved. */
  hasCode?: boolean;
  /** The browser is asked for no code from now on. */
  trust?: boolean;
}

/** Opens a session; null where a code is asked for first. */
export async function openSession(
  deps: Deps,
  proof: Proof,
  origin: SignInOrigin,
  { hasCode = proof.way === "passkey", trust = false }: Further = {},
): Promise<SignedIn | null> {
  const { kv, clock } = deps;
  const { userId } = proof;
  const known = await browserOf(deps.secrets, origin.device);
  const device = known?.userId === userId ? null : await newDeviceCookie(deps, userId);
  return await transact(kv, async (op) => {
    const now = clock.now();
    const entry = await findUser(kv, userId);
    if (!entry || entry.value.password !== proof.encoded) {
      throw new AppError(401, "errors.sign_in_failed");
    }
    const { value: user } = entry;
    const needsCode = user.second_factor && !hasCode;
    if (needsCode && !await isTrustedBrowser(kv, op, userId, origin, now)) return null;
    op.check(entry);
    if (proof.fresh) op.set(entry.key, { ...user, password: proof.fresh });
    rememberNetwork(op, userId, origin.address);
    const { text: token, hash } = insertSession(op, now, userId, origin);
    recordEvent(op, deps, { kind: "user", ...user, credential: { kind: "session", hash } }, {
      projectId: 0,
      object: "user",
      id: userId,
      name: user.username,
      action: `signed_in_${proof.way}`,
      params: { address: origin.address },
    });
    const trusted = trust ? trustBrowser(op, userId, origin, now).text : null;
    return { kind: "signed_in", token, device, trusted } as const;
  });
}
