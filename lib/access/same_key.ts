import { ConfigError, type Environment } from "../base/settings/settings.ts";
import { operatorCommand } from "../base/machine/operator_command.ts";
import { rowKeys } from "../store/keys.ts";
import { OVERTAKEN, retryOvertaken } from "../store/transact.ts";
import type { Store } from "../store/store.ts";
import type { SecretBox } from "./secret_box.ts";
import {
  boxOf,
  loadSecretKeys,
  readSecretKeys,
  secretKeyFile,
  type SecretKeys,
} from "./secret_keys.ts";

const otherKey = () =>
  "The secret key does not match the secrets in this store. If several servers share the store, " +
  "set the same CALLBOARD_SECRET_KEY on each. Otherwise, restore the old secret.key in the data " +
  `folder (a backup contains it), or the old CALLBOARD_SECRET_KEY. ${ifLost()}`;

const missingKey = (file: string) =>
  `The secret key of this store is missing: there is no ${file}, and CALLBOARD_SECRET_KEY is not ` +
  `set. Put the file back (a backup contains it), or set the key. ${ifLost()}`;

const ifLost = () =>
  `If it is lost, run: ${operatorCommand("secret-key accept")}. ` +
  "All keys and secret values must then be entered again.";

/**
 * Returns the keys of a store. A new store gets a new `secret.key`. Throws ConfigError, and writes
 * no file, if the key is missing or is not the one that the store's secrets were sealed with.
 */
export async function openSecretKeys(
  kv: Store,
  env: Environment,
  dataDir: string,
): Promise<{ keys: SecretKeys; secrets: SecretBox }> {
  if (!await readSecretKeys(env, dataDir) && await readProof(kv)) {
    throw new ConfigError(missingKey(secretKeyFile(dataDir)));
  }
  const keys = await loadSecretKeys(env, dataDir);
  const secrets = await boxOf(keys);
  await requireSameKey(kv, secrets);
  return { keys, secrets };
}

/** Returns the row that proves which key a store has; null for a new store. */
const readProof = async (kv: Store): Promise<Uint8Array | null> =>
  (await kv.get<Uint8Array>(rowKeys.secretKeyProof())).value;

/**
 * Ensures that `secrets` has the key of this store. Refuses a new key that was created for a lost
 * `secret.key`, a key that was exchanged, and the key of another server. With these, no stored
 * secret could be read, and new secrets would be readable by no one else. Throws ConfigError.
 */
export const requireSameKey = (kv: Store, secrets: SecretBox): Promise<void> =>
  retryOvertaken(() => proveSameKey(kv, secrets));

async function proveSameKey(kv: Store, secrets: SecretBox) {
  const known = await readProof(kv);
  if (known) {
    if (!await isProofOf(secrets, known)) throw new ConfigError(otherKey());
    return;
  }
  const key = rowKeys.secretKeyProof();
  const proof = await newProof(secrets);
  const { ok } = await kv.atomic().check({ key, versionstamp: null }).set(key, proof).commit();
  return ok ? undefined : OVERTAKEN;
}

/** Makes the key of `secrets` the key of this store, whatever was stored with another one. */
export async function acceptKey(kv: Store, secrets: SecretBox): Promise<void> {
  await kv.set(rowKeys.secretKeyProof(), await newProof(secrets));
}

/** Returns the row that proves which key a store has. */
export const newProof = (secrets: SecretBox): Promise<Uint8Array> => secrets.seal(PROOF);

const PROOF = "callboard";

/** Whether `sealed` was sealed with the key of `secrets`. */
export const isProofOf = (secrets: SecretBox, sealed: Uint8Array) =>
  secrets.open(sealed).then(() => true, () => false);
