import type { Deps } from "../../access/deps.ts";
import { invalidField } from "../../base/errors.ts";
import type { PlanKey } from "../../execution/run/plan.ts";
import { sourceKinds } from "../../execution/sources/kinds.ts";
import { referredSecret } from "../../execution/sources/reference.ts";
import type { SentSigner, Signer } from "../secret_storages/schema.ts";
import { planStorage, readSource } from "../secret_storages/source.ts";
import type { KeyRow } from "./schema.ts";
import type { Store } from "../../store/store.ts";

const FIELD = "certificate_source";

/**
 * Returns a signer as it is stored; undefined if nothing was sent. Throws 404 for a storage that is
 * not in the project, and 400 for one that signs nothing.
 */
export async function readSigner(
  kv: Store,
  projectId: number,
  sent: SentSigner,
): Promise<Signer | null | undefined> {
  if (!sent) return sent;
  const { field: _, ...signer } = await readSource(kv, projectId, { ...sent, field: "" }, FIELD);
  if (!sourceKinds[signer.type]?.signs) {
    throw invalidField(`${FIELD}.storage_id`, "errors.keys.no_signer");
  }
  return signer;
}

/**
 * Returns a key with its signer after a change. An undefined `sent` keeps the stored one. Throws
 * 400 for a key whose public half is not known here.
 */
export function withSigner<Key extends Pick<KeyRow, "type" | "secret" | "public_key" | "source">>(
  key: Key,
  sent: Signer | null | undefined,
  stored?: Signer,
): Key & Pick<KeyRow, "certificate_source"> {
  const signer = sent === undefined ? stored : sent ?? undefined;
  // Nothing of a key from a backup is known yet.
  const isUnknown = key.source || (key.secret && key.public_key === undefined);
  if (key.type === "ssh" && !isUnknown) return { ...key, certificate_source: signer };
  if (key.type === "ssh" && sent) throw invalidField(`${FIELD}.path`, "errors.keys.unsignable");
  return { ...key, certificate_source: undefined };
}

/** Returns an opened key whose certificate is signed when the run starts, if it has a signer. */
export async function signedKey(
  deps: Deps,
  { project_id, public_key, certificate_source: signer }: KeyRow,
  key: PlanKey,
): Promise<PlanKey> {
  if (!signer || !public_key || key.type !== "ssh") return key;
  const certificate = referredSecret({
    storage: await planStorage(deps, project_id, signer),
    path: signer.path,
    names: ["signed_key", "certificate"],
    sign: { publicKey: public_key, login: key.login },
  });
  return { ...key, plain: { certificate } };
}
