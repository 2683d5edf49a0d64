import { rowKeys } from "../../kv/keys.ts";
import { nextId } from "../../kv/ids.ts";
import type { EnvironmentRow } from "../../parts/environments/schema.ts";
import type { KeyRow } from "../../parts/keys/schema.ts";

/** Ids of the rows that every new project has. */
interface ProjectDefaults {
  keyId: number;
  environmentId: number;
}

/** Allocates the ids of a new project's key and environment. */
export async function allocateDefaults(kv: Deno.Kv): Promise<ProjectDefaults> {
  return { keyId: await nextId(kv, "keys"), environmentId: await nextId(kv, "environments") };
}

/** Adds the rows of every new project to `op`: a key for "no key", and an empty environment. */
export function insertDefaults(
  op: Deno.AtomicOperation,
  projectId: number,
  { keyId, environmentId }: ProjectDefaults,
): void {
  const key: KeyRow = {
    id: keyId,
    project_id: projectId,
    name: "None",
    type: "none",
    secret: null,
  };
  const environment: EnvironmentRow = {
    id: environmentId,
    project_id: projectId,
    name: "Empty",
    json: "{}",
    env: null,
    password: null,
    secrets: [],
  };
  op.set(rowKeys.resource("keys", projectId, keyId), key)
    .set(rowKeys.resource("environments", projectId, environmentId), environment);
}
