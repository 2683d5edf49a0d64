import { chooseItems } from "./choose_items.ts";
import type { Vault } from "./vault.ts";

interface Sent {
  vaults?: Vault[] | null;
  vault_key_id?: number | null;
}

/**
 * The vault passwords that a client means: the whole list, or only the first for `vault_key_id`.
 */
export function chooseVaults({ vaults, vault_key_id }: Sent, stored: Vault[]): Vault[] {
  const [known] = stored;
  const first = () => {
    if (vault_key_id) return { vault_key_id, name: known?.name ?? null };
    // To an older client, a vault without a key looks like no vault.
    return known?.vault_key_id === null ? known : null;
  };
  return chooseItems(
    { list: vaults, first: vault_key_id === undefined ? undefined : first() },
    stored,
    (a, b) => a.vault_key_id === b.vault_key_id && a.name === b.name,
  );
}
