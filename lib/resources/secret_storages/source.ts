import type { Deps } from "../../access/deps.ts";
import { AppError, invalidField } from "../../base/errors.ts";
import { sourceKinds } from "../../execution/sources/kinds.ts";
import type { PlanStorage } from "../../execution/sources/plan_storage.ts";
import { secretStorageRows } from "./repository.ts";
import type { SecretSource, SourceForm } from "./schema.ts";
import type { Store } from "../../store/store.ts";

/**
 * Returns a source as it is stored. `field` is its place in the form. Throws 404 for a storage that
 * is not in the project, and 400 for a type that needs one.
 */
export async function readSource(
  kv: Store,
  projectId: number,
  { storage_id, type, path, field: name }: SourceForm,
  field: string,
): Promise<SecretSource> {
  if (storage_id === null) {
    if (!type || !sourceKinds[type]?.builtIn) {
      throw invalidField(`${field}.storage_id`, "errors.required");
    }
    return { storage_id, type, path, field: name };
  }
  const found = await secretStorageRows.find(kv, projectId, storage_id);
  if (!found) {
    const at = `${field}.storage_id`;
    throw new AppError(404, "errors.field_not_in_project", { field: at }, {
      fields: { [at]: { key: "errors.not_in_project" } },
    });
  }
  return { storage_id, type: found.row.type, path, field: name };
}

/** Returns the storage of a source as a plan has it. Throws 400 if it was deleted. */
export async function planStorage(
  { kv, secrets }: Pick<Deps, "kv" | "secrets">,
  projectId: number,
  { storage_id: id, type }: Pick<SecretSource, "storage_id" | "type">,
): Promise<PlanStorage> {
  if (id === null) {
    return { ...NO_ROW, kind: type };
  }
  const found = await secretStorageRows.find(kv, projectId, id);
  if (!found) throw new AppError(400, "errors.run.missing_secret_storage");
  const { name, type: kind, params, sealed, unavailable, wait_seconds, allow_private } = found.row;
  return {
    id,
    name,
    kind,
    params,
    secret: sealed && await secrets.open(sealed),
    allowPrivate: allow_private,
    waitMs: unavailable === "wait" ? wait_seconds * 1_000 : 0,
  };
}

const NO_ROW: Omit<PlanStorage, "kind"> = {
  id: 0,
  name: "",
  params: {},
  secret: null,
  allowPrivate: false,
  waitMs: 0,
};
