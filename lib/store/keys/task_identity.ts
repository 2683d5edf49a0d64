type Key = Deno.KvKey;

/**
 * Rows of the identities of tasks.
 *
 * | key | value | why |
 * |---|---|---|
 * | identity_keys | KeyRingRow | keys that sign the identities of tasks, in one row so that servers agree on them |
 */
export const taskIdentityKeys = {
  identityKeys: (): Key => ["identity_keys"],
};
