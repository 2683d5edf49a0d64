import type { Deps } from "../../access/deps.ts";
import { addUserinfo, exchangeCode, type ProviderClaims, readIdToken } from "../../oidc/client.ts";
import { byteLength } from "../../base/fields.ts";
import { SignInFailure } from "../../oidc/failure.ts";
import { askGitHub } from "../../oidc/github.ts";
import type { Provider } from "../../oidc/provider.ts";
import { wantedClaims } from "../group_rules/in_force.ts";
import { identityKey, type Proof } from "../identities/schema.ts";
import type { SsoAttempt } from "./attempts.ts";
import type { Person } from "./failures.ts";
import { claimText, isComplete, profileOf } from "./profile.ts";

/** A longer id cannot be part of a key. Its session then ends with all others of the subject. */
const SID_BYTES_MAX = 500;

/** A verified identity, and the provider's data about its own session. */
interface VerifiedIdentity {
  proof: Proof;
  sid?: string;
  idToken: string | null;
}

/**
 * Verifies the answer of a provider. `onPerson` is called as soon as the person is certain. Throws
 * a failure for everything that is not as it must be.
 */
export async function prove(
  deps: Deps,
  provider: Provider,
  attempt: SsoAttempt,
  answer: URLSearchParams,
  onPerson: (person: Person) => void,
): Promise<VerifiedIdentity> {
  const metadata = await provider.metadata();
  const tokens = await exchangeCode(provider, metadata, answer, attempt);
  const { settings } = provider;
  let said: ProviderClaims;
  if (settings.kind === "github") said = await askGitHub(provider, metadata, tokens.access_token);
  else {
    said = await readIdToken(provider, metadata, tokens.id_token!);
    if (!isComplete(said.claims, settings, await wantedClaims(deps, settings.id))) {
      said = await addUserinfo(provider, metadata, tokens.access_token, said);
    }
  }
  const username = claimText(said.claims, settings.username_claim).slice(0, 100);
  onPerson({ subject: said.subject.slice(0, 100), username });
  return { ...proved(provider, said), idToken: tokens.id_token ?? null };
}

function proved(
  { settings }: Provider,
  { claims, ...said }: ProviderClaims,
): Omit<VerifiedIdentity, "idToken"> {
  const key = identityKey.safeParse(said);
  if (!key.success) throw new SignInFailure("untrusted", "the subject is not usable");
  const kind = settings.kind === "github" ? "oauth2" as const : "oidc" as const;
  const profile = profileOf(settings, claims);
  return {
    proof: { kind, provider: settings.id, ...key.data, profile, claims },
    sid: isUsableSid(claims.sid) ? claims.sid : undefined,
  };
}

const isUsableSid = (sid: unknown): sid is string =>
  typeof sid === "string" && byteLength(sid) <= SID_BYTES_MAX;
