import * as z from "zod";
import type { Claims } from "../../base/claims.ts";
import { byteLength } from "../../base/fields.ts";

/** Protocol that a provider verifies people with. */
type IdentityKind = "oidc" | "oauth2" | "ldap";

/** No provider has longer ones. They are parts of keys. */
const ISSUER_MAX = 500;
const SUBJECT_MAX = 500;
/** Bytes of both together, because a key has 2 KiB. */
const IDENTITY_BYTES_MAX = 1_900;

/** Permanent key of a provider's person. It is never an address or a name alone. */
export const identityKey = z.object({
  issuer: z.string().min(1).max(ISSUER_MAX),
  subject: z.string().min(1).max(SUBJECT_MAX),
}).refine(({ issuer, subject }) => byteLength(issuer + subject) <= IDENTITY_BYTES_MAX);

/** Identity of a person who wants to sign in, as a provider has verified it. */
export interface Proof extends z.output<typeof identityKey> {
  kind: IdentityKind;
  /** Id of the provider in this server's settings. */
  provider: string;
  profile: Profile;
  /** All claims of the provider, for the group rules. */
  claims: Claims;
}

/** Names of an account that is created from it. */
export interface Profile {
  username: string;
  name: string;
  email: string;
}

/** Stored row of an account's identity at a provider. */
export interface IdentityRow {
  user_id: number;
  kind: IdentityKind;
  provider: string;
  issuer: string;
  subject: string;
  /** Name of the person at the provider, for display. */
  name: string;
  created: string;
  last_used: string;
  /** Claims of the last sign-in, as far as they fit the limit. */
  claims: Claims;
}

/** A linked provider as its account shows it. */
export interface IdentityView
  extends Pick<IdentityRow, "provider" | "name" | "created" | "last_used"> {
  id: string;
}

/** Stored row of someone whom an administrator has not accepted yet. */
export interface WaitingRow extends Omit<Proof, "claims"> {
  asked: string;
  /** Whether an administrator has refused them. */
  refused: boolean;
}

export interface WaitingView extends Profile {
  id: string;
  provider: string;
  asked: string;
  refused: boolean;
}
