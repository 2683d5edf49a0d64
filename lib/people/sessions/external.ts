import type { Deps } from "../../access/deps.ts";
import type { SignInOrigin } from "../../access/sessions.ts";
import { applyRules, requireEntry } from "../group_rules/apply.ts";
import { accountOf } from "../identities/accounts.ts";
import type { NewAccounts } from "../../base/new_accounts.ts";
import type { Proof } from "../identities/schema.ts";
import { completeSignIn, type SignInResult } from "./complete.ts";

interface Terms {
  newAccounts: NewAccounts;
  /** Id of the provider's own session. */
  sid?: string;
  /** ID token that the provider expects at its own sign-out. */
  idToken?: string | null;
}

/** Longer tokens are not stored. The provider then asks the person which session to end. */
const ID_TOKEN_LENGTH_MAX = 8_000;

/**
 * Signs in a person whom a provider of any kind has verified. Throws 403 with a message if rules,
 * settings or another account prevent it.
 */
export async function signInExternal(
  deps: Deps,
  proof: Proof,
  { newAccounts, sid, idToken }: Terms,
  origin: SignInOrigin,
): Promise<SignInResult> {
  const { provider: id, issuer, subject } = proof;
  await requireEntry(deps, proof);
  const { id: userId } = await accountOf(deps, proof, newAccounts);
  await applyRules(deps, userId, proof);
  const isShort = idToken && idToken.length <= ID_TOKEN_LENGTH_MAX;
  const id_token = isShort ? await deps.secrets.seal(idToken) : null;
  const provider = { id, issuer, subject, ...sid && { sid }, ...id_token && { id_token } };
  return await completeSignIn(deps, { userId, way: "provider", provider }, origin);
}
