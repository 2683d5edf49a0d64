import type { Claims } from "../../base/claims.ts";
import type { Clock } from "../../base/clock.ts";
import { byteLength } from "../../base/fields.ts";
import type { IdentityRow, Proof } from "./schema.ts";

/** How many bytes of claims are stored, to test rules on. It is far below the limit of a value. */
const CLAIMS_BYTES_MAX = 16 * 1024;

/** Returns the row of an identity that was just verified. */
export function identityRow(
  { clock }: { clock: Pick<Clock, "now"> },
  userId: number,
  { kind, provider, issuer, subject, profile, claims }: Proof,
): IdentityRow {
  const now = clock.now().toISOString();
  return {
    user_id: userId,
    kind,
    provider,
    issuer,
    subject,
    name: profile.email || profile.username,
    created: now,
    last_used: now,
    claims: shortened(claims),
  };
}

/** Returns the claims that fit the limit. */
function shortened(claims: Claims): Claims {
  let bytes = 0;
  return Object.fromEntries(
    Object.entries(claims).filter(([name, value]) => {
      const length = byteLength(JSON.stringify([name, value]));
      if (bytes + length > CLAIMS_BYTES_MAX) return false;
      bytes += length;
      return true;
    }),
  );
}
