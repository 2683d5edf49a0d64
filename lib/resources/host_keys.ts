import type { Deps } from "../access/deps.ts";
import type { HostKey, InventoryPlan } from "../execution/ansible/plan.ts";
import type { PlanKey } from "../execution/run/plan.ts";
import type { ListedKey } from "./common/key_list.ts";
import { namedKeyOf } from "./run_resources.ts";

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
    const { key, name } = await namedKeyOf(deps, projectId, id);
    if (key.type === "ssh") sshKeys.push({ name, key, ...hosts && { hosts } });
    const wins = key.type === "login_password" && userKey?.type !== "login_password";
    if (userKey === null || userKey.type === "none" || wins) userKey = key;
  }
  const isPlain = sshKeys.length === 0 ||
    sshKeys.length === 1 && userKey === sshKeys[0].key && !sshKeys[0].hosts;
  return { userKey: userKey ?? { type: "none" }, ...!isPlain && { sshKeys } };
}

/** Whether a run with these keys needs to know more than one key for all hosts. */
export function isKeyRuled([first, ...others]: readonly ListedKey[]): boolean {
  return first !== undefined && (Boolean(first.hosts) || others.some(({ id }) => id !== first.id));
}
