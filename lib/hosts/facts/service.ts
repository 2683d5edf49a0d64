import type { ProjectScope } from "../../access/scope.ts";
import { getProjectHost } from "../service.ts";
import type { HostFacts } from "./schema.ts";
import { readFacts } from "./store.ts";

/**
 * Returns the facts that the latest task gathered of a host. Throws 404 if there is no such host.
 */
export async function getHostFacts(scope: ProjectScope, name: string): Promise<HostFacts> {
  const { deps: { kv }, projectId } = scope;
  await getProjectHost(scope, name);
  const { row, facts, since, changes } = await readFacts(kv, projectId, name);
  return {
    task_id: row?.task ?? null,
    gathered: row && new Date(row.at).toISOString(),
    facts: facts.value,
    shortened: facts.shortened,
    since_task_id: since,
    changes,
  };
}
