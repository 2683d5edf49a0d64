import { z } from "zod";
import type { Claims } from "../../base/claims.ts";

/** How a provider lets people prove who they are. */
type IdentityKind = "oidc" | "oauth2" | "ldap";

/** Longer ones are no provider's: they are parts of keys. */
const ISSUER_MAX = 500;
const SUBJECT_MAX = 500;

/** By what a provider's person is known for ever: never by an address or a name alone. */
export const identityKey = z.object({
  issuer: z.string().min(1).max(ISSUER_MAX),
  subject: z.string().min(1).max(SUBJECT_MAX),
});

/** What a provider has proved of somebody who wants to sign in. */
export interface Proof extends z.output<typeof identityKey> {
  kind: IdentityKind;
  /** The provider's id in this server's settings. */
  provider: string;
  profile: Profile;
  /** All that it said, for the rules of groups. */
  claims: Claims;
}

/** What an account made of it is called. */
export interface Profile {
  username: string;
  name: string;
  email: string;
}

/** What is stored of an account's identity at a provider. */
export interface IdentityRow {
  user_id: number;
  kind: IdentityKind;
  provider: string;
  issuer: string;
  subject: string;
  /** What the provider calls the person, for people. */
  name: string;
  created: string;
  last_used: string;
  /** What was said at the last sign-in, where that is not too long. */
  claims: Claims;
}

/** A linked provider as its account sees it. */
export interface IdentityView
  extends Pick<IdentityRow, "provider" | "name" | "created" | "last_used"> {
  id: string;
}

/** Somebody whom an administrator has not let in yet. */
export interface WaitingRow extends Omit<Proof, "claims"> {
  asked: string;
  /** Whether an administrator has said no. */
  refused: boolean;
}

export interface WaitingView extends Profile {
  id: string;
  provider: string;
  asked: string;
  refused: boolean;
}
