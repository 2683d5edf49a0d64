import type { Deps } from "../access/deps.ts";
import { AppError } from "../base/errors.ts";
import { hasKeyRules } from "../execution/ansible/inventory/host_keys.ts";
import type { HostKey, InventoryPlan } from "../execution/ansible/plan.ts";
import type { PlanKey } from "../execution/run/plan.ts";
import type { ListedKey } from "../model/template_row.ts";
import { keyRows } from "./keys/repository.ts";
import type { SshOptions } from "./keys/ssh_options.ts";
import { namedKeyOf } from "./keys/plan_key.ts";
import type { Store } from "../store/store.ts";

/**
 * Returns the keys of a list as a run takes them. Each counts once, where it comes first. A login
 * with password wins over the logins of SSH keys, because its password belongs to it.
 */
export async function hostKeysOf(
  deps: Deps,
  projectId: number,
  list: readonly ListedKey[],
): Promise<Pick<InventoryPlan, "userKey" | "sshKeys">> {
  const seen = new Set<number>();
  const sshKeys: HostKey[] = [];
  let userKey: PlanKey | null = null;
  for (const { id, hosts } of list) {
    if (seen.has(id)) continue;
    seen.add(id);
    const { key, name, ssh_options } = await namedKeyOf(deps, projectId, id);
    if (key.type === "ssh") {
      const options = await optionsOf(deps, projectId, ssh_options);
      sshKeys.push({ name, key, ...hosts && { hosts }, ...options && { options } });
    }
    const wins = key.type === "login_password" && userKey?.type !== "login_password";
    if (userKey === null || userKey.type === "none" || wins) userKey = key;
  }
  const isPlain = sshKeys.length === 0 ||
    sshKeys.length === 1 && userKey === sshKeys[0].key && !hasKeyRules({ sshKeys });
  return { userKey: userKey ?? { type: "none" }, ...!isPlain && { sshKeys } };
}

/** Returns the options of a key with the secrets of the jump host's key. */
async function optionsOf(
  deps: Deps,
  projectId: number,
  stored: SshOptions | undefined,
): Promise<HostKey["options"]> {
  if (!stored?.jump) return stored as HostKey["options"];
  const { jump: { key_id, ...jump }, ...others } = stored;
  if (!key_id) return { ...others, jump };
  const { key, name } = await namedKeyOf(deps, projectId, key_id);
  if (key.type !== "ssh") throw new AppError(400, "errors.run.jump_key", { name });
  return { ...others, jump: { ...jump, key: { name, key } } };
}

/** Whether a run with these keys needs to know more than one key for all hosts. */
export async function isKeyRuled(
  kv: Store,
  projectId: number,
  [first, ...others]: readonly ListedKey[],
): Promise<boolean> {
  if (!first) return false;
  if (first.hosts || others.some(({ id }) => id !== first.id)) return true;
  return (await keyRows.find(kv, projectId, first.id))?.row.ssh_options !== undefined;
}
