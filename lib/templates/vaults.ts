import { chooseItems } from "./choose_items.ts";
import type { Vault } from "./vault.ts";

interface Sent {
  vaults?: Vault[] | null;
  vault_key_id?: number | null;
}

/** The vault passwords that a client means: all of them, or with `vault_key_id` the first one. */
export function chooseVaults({ vaults, vault_key_id }: Sent, stored: Vault[]): Vault[] {
  const first = vault_key_id && { vault_key_id, name: stored[0]?.name ?? null };
  return chooseItems(
    { list: vaults, first: first || (vault_key_id === undefined ? undefined : null) },
    stored,
    (a, b) => a.vault_key_id === b.vault_key_id && a.name === b.name,
  );
}
