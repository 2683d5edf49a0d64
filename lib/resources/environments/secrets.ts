import type { Deps } from "../../access/deps.ts";
import { AppError, invalidField } from "../../base/errors.ts";
import { nextId } from "../../store/ids.ts";
import type { EnvironmentSecret, NewSecret, SecretChange, SecretEdit } from "./schema.ts";
import { SECRETS_MAX } from "./schema.ts";
import type { SecretSource } from "../secret_storages/schema.ts";
import { readSource } from "../secret_storages/source.ts";

/** Leaves space for the environment's other members in a KV value, which is limited to 64 KiB. */
const SEALED_BYTES_MAX = 24 * 1024;

/**
 * A change with its sealed value, which is null if the value stays. `at` is its index in the form.
 */
type SealedChange = (NewSecret & { id: number; sealed: Uint8Array } | SecretEdit & Kept) & {
  /** The place of the value; null if it is stored here or stays. */
  place: SecretSource | null;
  at: number;
};
interface Kept {
  sealed: Uint8Array | null;
}

/** Seals the new values, finds the places of others, and allocates ids for new secrets. */
export async function sealChanges(
  { kv, secrets }: Pick<Deps, "kv" | "secrets">,
  projectId: number,
  changes: SecretChange[],
): Promise<SealedChange[]> {
  const sealed: SealedChange[] = [];
  for (const [at, change] of changes.entries()) {
    const value = change.secret;
    const place = change.source &&
      await readSource(kv, projectId, change.source, `secrets.${at}.source`);
    if (change.operation === "create") {
      const id = await nextId(kv, "environment_secrets");
      const bytes = place ? NO_VALUE : await secrets.seal(value);
      sealed.push({ ...change, id, sealed: bytes, place, at });
    } else {
      const bytes = place ? NO_VALUE : value === "" ? null : await secrets.seal(value);
      sealed.push({ ...change, sealed: bytes, place, at });
    }
  }
  return sealed;
}

const NO_VALUE = new Uint8Array(0);

/** Applies `changes` to the secrets. Throws for unknown ids, duplicate names, and too much data. */
export function changeSecrets(
  stored: EnvironmentSecret[],
  changes: SealedChange[],
): EnvironmentSecret[] {
  const secrets = new Map(stored.map((secret) => [secret.id, secret]));
  for (const change of changes) {
    const { id } = change;
    if (change.operation === "keep") continue;
    if (change.operation === "create") {
      const { type, name, sealed, place } = change;
      secrets.set(id, { id, type, name, sealed, ...place && { source: place } });
      continue;
    }
    const old = secrets.get(id);
    if (!old) throw unknownSecret(change.at);
    if (change.operation === "delete") secrets.delete(id);
    else secrets.set(id, changed(old, change));
  }
  const left = [...secrets.values()];
  requireUnlike(left, changes);
  requireFitting(left);
  return left;
}

function changed(
  old: EnvironmentSecret,
  { type, name, sealed, place }: SecretEdit & Kept & { place: SecretSource | null },
): EnvironmentSecret {
  const source = place ?? (sealed ? null : old.source);
  return {
    id: old.id,
    type: type ?? old.type,
    name: name ?? old.name,
    sealed: sealed ?? old.sealed,
    ...source && { source },
  };
}

function unknownSecret(at: number): AppError {
  const field = `secrets.${at}.id`;
  return new AppError(404, "errors.field_not_in_project", { field }, {
    fields: { [field]: { key: "errors.environments.unknown_secret" } },
  });
}

function requireUnlike(secrets: EnvironmentSecret[], changes: SealedChange[]) {
  const seen = new Set<string>();
  const places = new Map(changes.map(({ id, at }) => [id, at]));
  for (const { id, type, name } of secrets) {
    const at = places.get(id) ?? 0;
    if (seen.has(`${type}.${name}`)) {
      throw invalidField(`secrets.${at}.name`, "errors.environments.same_secret");
    }
    seen.add(`${type}.${name}`);
  }
}

function requireFitting(secrets: EnvironmentSecret[]) {
  if (secrets.length > SECRETS_MAX) {
    throw invalidField("secrets", "errors.environments.too_many_secrets", { max: SECRETS_MAX });
  }
  const bytes = secrets.reduce((sum, { name, sealed }) => sum + name.length + sealed.length, 0);
  if (bytes > SEALED_BYTES_MAX) {
    throw invalidField("secrets", "errors.environments.secrets_too_large", {
      max: SEALED_BYTES_MAX,
    });
  }
}
