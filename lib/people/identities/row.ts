import type { Claims } from "../../base/claims.ts";
import type { Clock } from "../../base/clock.ts";
import { byteLength } from "../../base/fields.ts";
import type { IdentityRow, Proof } from "./schema.ts";

/** Bytes of what a provider says that are kept, for what rules are tried on: far below a value's. */
const CLAIMS_BYTES_MAX = 16 * 1024;

/** The row of an identity that was proved just now. */
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

/** The claims that are not too long together. */
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
