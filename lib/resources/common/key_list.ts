import * as z from "zod";
import { preservedField } from "../../base/fields.ts";
import type { ListedKey } from "../../model/template_row.ts";

export const SSH_KEYS_MAX = 50;
const PATTERNS_MAX = 100;

/** A name with `*` and `?`. Blanks and commas separate patterns in forms. */
const pattern = z.string().min(1, "errors.required").max(200, "errors.too_long")
  .regex(/^[^\s,]+$/, "errors.keys.host_pattern");
const patterns = z.array(pattern).max(PATTERNS_MAX, "errors.too_long");

/** Members of a body with several keys, in the order in which they are offered. */
export const keyListFields = {
  ssh_key_ids: preservedField(
    z.array(z.int().min(1, "errors.invalid")).max(SSH_KEYS_MAX, "errors.too_long"),
  ),
  /** Patterns by the id of the key that is only for those hosts and groups. */
  ssh_key_hosts: preservedField(
    z.record(z.string().regex(/^\d{1,15}$/, "errors.invalid"), patterns)
      .refine((hosts) => Object.keys(hosts).length <= SSH_KEYS_MAX, "errors.too_long"),
  ),
};

export const keyListViews = {
  ssh_key_ids: z.array(z.int()),
  ssh_key_hosts: z.record(z.string(), z.array(z.string())),
};

/** The patterns of a key in one line of a form. */
export const keyPatternsField = z.string().nullish()
  .transform((text) => (text ?? "").split(/[\s,]+/).filter(Boolean)).pipe(patterns);

/** Rows of a form with a key and its patterns. Rows without a key are left out. */
export const keyRowsField = z.array(z.object({
  id: z.int().min(0, "errors.invalid").nullish(),
  hosts: keyPatternsField,
})).max(SSH_KEYS_MAX, "errors.too_long").nullish();
type KeyRows = z.output<typeof keyRowsField>;

/** Converts rows of a form to the members of a body. */
export function keyListOf(rows: KeyRows) {
  const chosen = (rows ?? []).filter(({ id }) => id);
  return {
    ssh_key_ids: chosen.map(({ id }) => id!),
    ssh_key_hosts: Object.fromEntries(
      chosen.filter(({ hosts }) => hosts.length > 0).map(({ id, hosts }) => [id, hosts]),
    ),
  };
}

/** Converts a list to rows of a form. */
export const keyRowsOf = ({ ssh_key_ids, ssh_key_hosts }: KeyListView) =>
  ssh_key_ids.map((id) => ({ id, hosts: ssh_key_hosts[id]?.join(" ") ?? "" }));

type KeyListView = { [Name in keyof typeof keyListViews]: z.output<typeof keyListViews[Name]> };

export const keyListView = (list: readonly ListedKey[]): KeyListView => ({
  ssh_key_ids: list.map(({ id }) => id),
  ssh_key_hosts: Object.fromEntries(list.flatMap(({ id, hosts }) => hosts ? [[id, hosts]] : [])),
});

interface SentKeys {
  ssh_key_ids?: number[] | null;
  ssh_key_hosts?: Record<string, string[]> | null;
  /** The first of them, for clients that know only one; null for none. */
  first?: number | null;
}

/**
 * Chooses the keys that a client means. One that knows only the first key replaces all of them when
 * it changes it. One that sends back an answer with another first key does so, too.
 */
export function chooseKeys(sent: SentKeys, stored: readonly ListedKey[]): ListedKey[] {
  const hosts = sent.ssh_key_hosts === undefined
    ? keyListView(stored).ssh_key_hosts
    : sent.ssh_key_hosts ?? {};
  return [...new Set(chooseIds(sent, stored.map(({ id }) => id)))]
    .map((id) => hosts[id]?.length ? { id, hosts: [...new Set(hosts[id])] } : { id });
}

function chooseIds({ ssh_key_ids, first }: SentKeys, stored: number[]): number[] {
  if (first === undefined) return ssh_key_ids === undefined ? stored : ssh_key_ids ?? [];
  const isChanged = first !== (stored[0] ?? null);
  const isSameList = String(ssh_key_ids) === String(stored);
  if (ssh_key_ids && !(isChanged && isSameList)) return ssh_key_ids;
  if (!isChanged) return stored;
  return first === null ? [] : [first];
}

interface InventoryKeys {
  ssh_key_id?: number | null;
  ssh_keys?: ListedKey[];
}

/** The keys of an inventory. One with a single key for all hosts has only its id. */
export const listedKeys = ({ ssh_key_id, ssh_keys }: InventoryKeys): ListedKey[] =>
  ssh_keys ?? (ssh_key_id ? [{ id: ssh_key_id }] : []);

/**
 * Returns the keys of an inventory's body as its row has them. A body without any member for keys
 * has no key.
 */
export function inventoryKeys(
  { ssh_key_id: first, ...list }: Omit<SentKeys, "first"> & { ssh_key_id?: number | null },
  stored: InventoryKeys = {},
): { ssh_key_id: number | null; ssh_keys?: ListedKey[] } {
  const isSilent = first === undefined && list.ssh_key_ids === undefined;
  const keys = chooseKeys({ ...list, first: isSilent ? null : first }, listedKeys(stored));
  const isPlain = keys.length < 2 && !keys[0]?.hosts;
  return { ssh_key_id: keys[0]?.id ?? null, ...!isPlain && { ssh_keys: keys } };
}
