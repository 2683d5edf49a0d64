import { ConfigError } from "../config.ts";
import { keys } from "../kv/keys.ts";
import type { SecretBox } from "./secret_box.ts";

/**
 * Makes sure that all servers of a store have one secret key: with another one, a server could not
 * read the others' secrets, and would store some that they cannot read. Throws ConfigError.
 */
export async function requireSameKey(kv: Deno.Kv, secrets: SecretBox): Promise<void> {
  const key = keys.secretKeyProof();
  const mine = await secrets.seal("callboard");
  await kv.atomic().check({ key, versionstamp: null }).set(key, mine).commit();
  const { value } = await kv.get<Uint8Array>(key);
  try {
    await secrets.open(value!);
  } catch {
    throw new ConfigError(
      "The secret key is not that of the other servers on this store: " +
        "set CALLBOARD_SECRET_KEY to the same value on each",
    );
  }
}
