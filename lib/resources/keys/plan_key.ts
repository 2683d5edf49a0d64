import type { Deps } from "../../access/deps.ts";
import { AppError } from "../../base/errors.ts";
import type { PlanKey } from "../../execution/run/plan.ts";
import { present } from "../common/present.ts";
import { referredKey } from "./referred_key.ts";
import { keyRows } from "./repository.ts";
import { openSecret } from "./secret.ts";
import { signedKey } from "./signer.ts";
import type { SshOptions } from "./ssh_options.ts";

/** A key with its secrets. For null it is a key of type "none". */
export async function keyOf(deps: Deps, projectId: number, id: number | null): Promise<PlanKey> {
  return id === null ? { type: "none" } : (await namedKeyOf(deps, projectId, id)).key;
}

/** A key with its secrets and its name. */
export async function namedKeyOf(
  deps: Deps,
  projectId: number,
  id: number,
): Promise<{ name: string; key: PlanKey; ssh_options?: SshOptions }> {
  const row = await present("key", keyRows.find(deps.kv, projectId, id));
  const { name, ssh_options, source } = row;
  if (source) return { name, ssh_options, key: await referredKey(deps, row, source) };
  if (row.type !== "none" && row.secret === null) {
    throw new AppError(400, "errors.run.empty_key", { name: row.name });
  }
  const key = await signedKey(deps, row, await openSecret(deps.secrets, row));
  return { name, ssh_options, key };
}
