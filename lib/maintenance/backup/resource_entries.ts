import * as z from "zod";
import { SSH_KEYS_MAX } from "../../resources/common/key_list.ts";

/** Maximum number of entries of one kind, which is more than any project has. */
export const ENTRIES_MAX = 5_000;

export const textField = z.string().nullish();
export const flag = z.boolean().nullish();
export const number = z.int().nullish();
export const params = z.record(z.string(), z.unknown()).nullish();

/** Older servers write null for a list without entries, or leave it out. */
export const entriesOf = <T extends z.ZodType>(entry: T) =>
  z.array(entry).max(ENTRIES_MAX, "errors.too_long").nullish().transform((value) => value ?? []);

/** Fields of entries that others refer to by name. The name is therefore unique in the file. */
export const named = { name: z.string("errors.required"), original_name: textField };

/** The place of a value, with the name of its secret storage. */
const sourceEntry = z.object({
  storage: textField,
  type: textField,
  path: z.string(),
  field: textField,
}).nullish();

/** A secret storage without its credential, and without the permission for private networks. */
export const secretStorageEntry = z.object({
  ...named,
  type: z.string("errors.required"),
  params: z.record(z.string(), z.unknown()).nullish(),
  unavailable: textField,
  wait_seconds: number,
});

export const keyEntry = z.object({
  ...named,
  type: z.string("errors.required"),
  /** Public, unlike the rest of a key. */
  certificate: textField,
  certificate_source: sourceEntry,
  /** As in the API, with the name of the jump host's key. */
  ssh_options: z.object({
    user: textField,
    port: number,
    jump: z.object({ host: textField, port: number, user: textField, key: textField }).nullish(),
  }).nullish(),
  source: sourceEntry,
});

export const environmentEntry = z.object({
  ...named,
  json: textField,
  env: textField,
  /** Names only: a backup holds no values. */
  secrets: entriesOf(z.object({ type: z.string(), name: z.string(), source: sourceEntry })),
});

export const repositoryEntry = z.object({
  ...named,
  git_url: z.string("errors.required"),
  git_branch: textField,
  git_depth: number,
  ssh_key: textField,
});

/**
 * Keys in the order in which they are offered, each with patterns for its hosts. Omitted for a
 * single key of an inventory for all hosts.
 */
export const sshKeys = z.array(z.object({
  key: z.string("errors.required"),
  hosts: z.array(z.string()).nullish(),
})).max(SSH_KEYS_MAX, "errors.too_long").nullish();

export const inventoryEntry = z.object({
  ...named,
  type: z.string("errors.required"),
  inventory: textField,
  ssh_key: textField,
  ssh_keys: sshKeys,
  become_key: textField,
  own_key: flag,
  repository: textField,
  runner_tag: textField,
  keep_paths: textField,
  toolchain: textField,
});

export const gitCredentialEntry = z.object({
  type: z.string("errors.required"),
  host: z.string("errors.required"),
  ssh_key: textField,
});

export const toolchainEntry = z.object({
  ...named,
  kind: textField,
  ansible_core: textField,
  pip: textField,
  collections: textField,
  python: textField,
  path: textField,
  image: textField,
  galaxy_url: textField,
  galaxy_key: textField,
});
