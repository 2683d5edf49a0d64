import type { Deps } from "../../access/deps.ts";
import { AppError } from "../../base/errors.ts";
import { type Ref, rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import { listedKeys } from "../../resources/common/key_list.ts";
import type { EnvironmentRow } from "../../resources/environments/schema.ts";
import { keyReferences } from "../../resources/keys/repository.ts";
import type { KeyRow } from "../../resources/keys/schema.ts";
import type { RepositoryRow } from "../../resources/repositories/schema.ts";
import { storagesOf } from "../../resources/secret_storages/schema.ts";
import type { Pin, PinnedAccess } from "../../tasks/pin_store.ts";
import type { TaskRow } from "../../model/task_row.ts";

/** Rows that name keys and secret storages of a task. */
interface Users {
  inventory: Pin["inventory"];
  environments: EnvironmentRow[];
  repositories: RepositoryRow[];
}

/**
 * Returns the keys and secret storages that a task uses, as they are now. Ansible evaluates a login
 * as a template, a key names a jump host, and a storage decides the values of variables.
 */
export async function accessOf(
  kv: Store,
  { project_id, ssh_keys = [], vaults }: Pick<TaskRow, "project_id" | "ssh_keys" | "vaults">,
  { inventory, environments, repositories }: Users,
): Promise<PinnedAccess[]> {
  const keys = [
    inventory.become_key_id,
    ...[...ssh_keys, ...listedKeys(inventory)].map(({ id }) => id),
    ...vaults.map(({ vault_key_id }) => vault_key_id),
    ...repositories.map(({ ssh_key_id }) => ssh_key_id),
  ];
  const left: Ref[] = [
    ...keys.flatMap((id): Ref[] => id === null ? [] : [["keys", id]]),
    ...storagesOf(environments.flatMap(({ secrets }) => secrets.map(({ source }) => source))),
  ];
  const found = new Map<string, PinnedAccess>();
  for (let ref = left.pop(); ref; ref = left.pop()) {
    if (found.has(ref.join())) continue;
    const { value, versionstamp } = await readRow(kv, project_id, ref);
    if (!value) continue;
    found.set(ref.join(), { ref, name: value.name, version: versionstamp });
    if (ref[0] === "keys") left.push(...keyReferences(value as KeyRow));
  }
  return [...found.values()];
}

const readRow = (kv: Store, projectId: number, ref: Ref) =>
  kv.get<{ name: string }>(rowKeys.resource(ref[0], projectId, ref[1]));

/**
 * Throws 409 if one of the rows has changed. Called after a plan has read all of them: no version
 * comes back, so they were not different before either.
 */
export async function requireSameAccess(
  { kv }: Pick<Deps, "kv">,
  { project_id }: Pick<TaskRow, "project_id">,
  { access = [] }: Pin,
): Promise<void> {
  for (const { ref, name, version } of access) {
    const { versionstamp } = await readRow(kv, project_id, ref);
    if (versionstamp !== version) {
      throw new AppError(409, "errors.personal.changed_since_start", { name });
    }
  }
}
