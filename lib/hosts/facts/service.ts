import type { ProjectScope } from "../../access/scope.ts";
import { getProjectHost } from "../service.ts";
import type { HostFacts } from "./schema.ts";
import { readFacts } from "./store.ts";

/** The facts that the newest run has gathered of a host; throws not found without such a host. */
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
