import type { ProjectScope } from "../access/scope.ts";
import { AppError, sentenceOf } from "../base/errors.ts";
import { createReader } from "../execution/sources/reader.ts";
import type { StorageTest } from "../resources/secret_storages/schema.ts";
import { planStorage } from "../resources/secret_storages/source.ts";
import { secretStorageRows } from "../resources/secret_storages/repository.ts";
import { storeEvent } from "../events/record.ts";
import { withinLimits } from "./limits.ts";

/**
 * Reads a path of a storage from this server, and returns the names of its values. Leases are ended
 * at once. An event records who did it.
 */
export async function testSecretStorage(
  scope: ProjectScope<"manage_keys">,
  id: number,
  path: string,
): Promise<StorageTest> {
  const { deps, actor, projectId } = scope;
  const { name, type } = await secretStorageRows.get(deps.kv, projectId, id);
  const storage = await planStorage(deps, projectId, { storage_id: id, type });
  await storeEvent(deps, actor, {
    projectId,
    object: "secret_storage",
    id,
    name,
    action: "tried",
    params: { path },
  });
  return await withinLimits(scope, async (machine, stop) => {
    // Someone waits for the answer.
    const reader = createReader(machine, { projectId, stop });
    try {
      return { ok: true, names: await reader.names({ ...storage, waitMs: 0 }, path), reason: null };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { ok: false, names: [], reason: sentenceOf(error) };
    } finally {
      await reader.close();
    }
  });
}
