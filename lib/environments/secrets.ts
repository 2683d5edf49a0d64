import type { Deps } from "../deps.ts";
import { AppError, invalidField } from "../errors.ts";
import { nextId } from "../kv/ids.ts";
import { type EnvironmentSecret, type SecretChange, SECRETS_MAX } from "./schema.ts";

/** KV takes 64 KiB a value, and the environment's other members need their part. */
const SEALED_BYTES_MAX = 24 * 1024;

/** What is to be done with one secret, its value sealed; `sealed` is null to keep the value. */
interface SealedChange {
  operation: "create" | "update" | "delete";
  id: number;
  type: EnvironmentSecret["type"];
  name: string;
  sealed: Uint8Array | null;
  /** Where it stands in the form, for naming it. */
  at: number;
}

/**
 * Seals the new values, and gives new secrets their ids. Clients that send back what they were
 * answered name secrets without an operation: those stay as they are.
 */
export async function sealChanges(
  { kv, secrets }: Pick<Deps, "kv" | "secrets">,
  changes: SecretChange[],
): Promise<SealedChange[]> {
  const sealed: SealedChange[] = [];
  for (const [at, { id, type, name, secret, operation }] of changes.entries()) {
    const wanted = operation || (id === null ? "create" : null);
    if (wanted === null) continue;
    if (wanted !== "create" && id === null) {
      throw invalidField(`secrets.${at}.id`, "errors.required");
    }
    sealed.push({
      operation: wanted,
      id: wanted === "create" ? await nextId(kv, "environment_secrets") : id!,
      type,
      name,
      sealed: wanted === "update" && secret === "" ? null : await secrets.seal(secret),
      at,
    });
  }
  return sealed;
}

/** The secrets after `changes`. Throws for unknown ids, for names that are there twice, for too much. */
export function changeSecrets(
  stored: EnvironmentSecret[],
  changes: SealedChange[],
): EnvironmentSecret[] {
  const secrets = new Map(stored.map((secret) => [secret.id, secret]));
  for (const { operation, id, type, name, sealed, at } of changes) {
    const old = secrets.get(id);
    if (operation !== "create" && !old) {
      const field = `secrets.${at}.id`;
      throw new AppError(404, "errors.field_not_in_project", { field }, {
        fields: { [field]: { key: "errors.environments.unknown_secret" } },
      });
    }
    if (operation === "delete") secrets.delete(id);
    else secrets.set(id, { id, type, name, sealed: sealed ?? old!.sealed });
  }
  const changed = [...secrets.values()];
  requireUnlike(changed, changes);
  requireFitting(changed);
  return changed;
}

function requireUnlike(secrets: EnvironmentSecret[], changes: SealedChange[]) {
  const seen = new Set<string>();
  for (const { id, type, name } of secrets) {
    const at = changes.find((change) => change.id === id)?.at ?? 0;
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
