import type { ProjectScope } from "../access/scope.ts";
import { listDriftRows } from "./list.ts";

/** Number of hosts that are looked at. */
const LOOKED_AT = 10_000;

/** Returns the hosts of a template that differ and need one of these Ansible tasks. */
export async function listDifferingHosts(
  { deps: { kv }, projectId }: ProjectScope,
  templateId: number,
  playTasks: readonly string[],
): Promise<string[]> {
  const { rows } = await listDriftRows(kv, projectId, {
    ...{ states: ["would_change"], templateId, q: "", limit: LOOKED_AT },
  });
  return rows.filter(({ change_tasks = [] }) => change_tasks.some((one) => playTasks.includes(one)))
    .map(({ host }) => host);
}
