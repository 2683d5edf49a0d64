import type { Deps } from "../../access/deps.ts";
import type { SignInOrigin } from "../../access/sessions.ts";
import { applyRules, requireEntry } from "../group_rules/apply.ts";
import { accountOf } from "../identities/accounts.ts";
import type { NewAccounts } from "../../base/new_accounts.ts";
import type { Proof } from "../identities/schema.ts";
import { completeSignIn, type SignedIn } from "./complete.ts";

interface Terms {
  newAccounts: NewAccounts;
  /** What the provider calls its own session. */
  sid?: string;
  /** What it wants to see at its own sign-out. */
  idToken?: string | null;
}

/** Longer ones are not kept: the provider then asks the person what it is to end. */
const ID_TOKEN_LENGTH_MAX = 8_000;

/**
 * Signs in whom a provider has proved somebody to be, of whatever kind it is.
 * Throws 403 with a sentence where rules, settings or another account stand in the way.
 */
export async function signInExternal(
  deps: Deps,
  proof: Proof,
  { newAccounts, sid, idToken }: Terms,
  origin: SignInOrigin,
): Promise<SignedIn> {
  const { provider: id, issuer, subject } = proof;
  await requireEntry(deps, proof);
  const { id: userId } = await accountOf(deps, proof, newAccounts);
  await applyRules(deps, userId, proof);
  const isShort = idToken && idToken.length <= ID_TOKEN_LENGTH_MAX;
  const id_token = isShort ? await deps.secrets.seal(idToken) : null;
  const provider = { id, issuer, subject, ...sid && { sid }, ...id_token && { id_token } };
  return await completeSignIn(deps, { userId, provider }, origin);
}
