import { ConfigError } from "../lib/base/settings/settings.ts";
import { identityKey } from "../lib/people/identities/schema.ts";
import { countIssuers, moveIdentities } from "../lib/people/identities/move.ts";
import { columns, say } from "./console.ts";
import type { Store } from "../lib/store/store.ts";

/**
 * Moves the people of one issuer to another, after a provider's address or a directory's name has
 * changed. Without names, lists the issuers that accounts are linked with.
 */
export async function moveIssuer(kv: Store, [from, to]: string[]): Promise<void> {
  const counts = await countIssuers(kv);
  if (from === undefined) {
    const rows = [...counts].map(([issuer, count]) => [issuer, String(count)]);
    return say(columns([["ISSUER", "ACCOUNTS"], ...rows]));
  }
  const isIssuer = identityKey.shape.issuer.safeParse(to).success;
  if (!isIssuer || from === to) throw new ConfigError("Enter a new issuer after the old one.");
  if (!counts.has(from)) throw new ConfigError(`No account is linked with "${from}".`);
  const { moved, kept } = await moveIdentities(kv, from, to);
  say(`Moved ${moved} identities from "${from}" to "${to}".`);
  if (kept > 0) {
    say(`Left ${kept}, because other accounts are linked with the same people of "${to}".`);
  }
}
