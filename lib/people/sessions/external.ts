import type { Deps } from "../../access/deps.ts";
import type { SignInOrigin } from "../../access/sessions.ts";
import { applyRules, requireEntry } from "../group_rules/apply.ts";
import { accountOf } from "../identities/accounts.ts";
import type { NewAccounts, Proof } from "../identities/schema.ts";
import { completeSignIn, type SignInResult } from "./complete.ts";

/**
 * Signs in whom a provider has proved somebody to be, of whatever kind it is. `sid` is what it calls
 * its own session. Throws 403 with a sentence where rules, settings or another account stand in the way.
 */
export async function signInExternal(
  deps: Deps,
  proof: Proof,
  { newAccounts, sid }: { newAccounts: NewAccounts; sid?: string },
  origin: SignInOrigin,
): Promise<SignInResult> {
  const { provider: id, issuer, subject } = proof;
  await requireEntry(deps, proof);
  const { id: userId } = await accountOf(deps, proof, newAccounts);
  await applyRules(deps, userId, proof);
  const provider = { id, issuer, subject, ...sid && { sid } };
  return await completeSignIn(deps, { userId, way: "provider", provider }, origin);
}
