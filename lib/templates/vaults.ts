import type { Vault } from "./schema.ts";

interface Sent {
  vaults?: Vault[] | null;
  vault_key_id: number | null;
}

/**
 * The vault passwords that a client means. Newer ones send `vaults`, older ones `vault_key_id`, and
 * those that send back what they were answered send both: then the one that differs from what is
 * stored was changed; `vaults` if both do.
 */
export function chooseVaults({ vaults, vault_key_id }: Sent, stored: Vault[]): Vault[] {
  const single = vault_key_id === null ? [] : [{ vault_key_id, name: null }];
  if (!vaults) return single;
  const storedId = stored[0]?.vault_key_id ?? null;
  if (!sameVaults(vaults, stored) || vault_key_id === storedId) return vaults.map(plain);
  return vault_key_id === null ? [] : [
    { vault_key_id, name: stored[0]?.name ?? null },
    ...stored.slice(1),
  ];
}

const plain = ({ vault_key_id, name }: Vault): Vault => ({ vault_key_id, name });

const sameVaults = (a: Vault[], b: Vault[]) =>
  a.length === b.length &&
  a.every(({ vault_key_id, name }, n) => vault_key_id === b[n].vault_key_id && name === b[n].name);
