import type { ProjectScope } from "../access/scope.ts";
import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { listRunChanges } from "../results/changes.ts";
import { readHosts, readPlayTasks } from "../results/result_store.ts";
import type { Change } from "../results/schema.ts";
import type { ResolvedRow } from "./rows.ts";

/** A change that a check predicts, with the hosts that still need it. */
export interface DriftedChange extends Omit<Change, "host_ids" | "done_ids"> {
  play_task: string;
  role: string;
  action: string;
  /** The first of them. */
  hosts: { id: number; name: string }[];
  /** Number of all of them. */
  count: number;
}

/** Number of hosts that are named for a change. */
const NAMED_MAX = 20;

/**
 * Returns a page of the changes that a check predicts, each once for all hosts that still need it.
 */
export async function listDriftedChanges(
  scope: ProjectScope,
  templateId: number,
  taskId: number,
  page: { after?: string; limit: number },
): Promise<{ changes: DriftedChange[]; next: string | null }> {
  const { deps: { kv }, projectId } = scope;
  const [{ changes, next }, isResolved] = await Promise.all([
    listRunChanges(scope, taskId, page),
    readResolved(kv, projectId, templateId, taskId),
  ]);
  const left = changes.map((change) => {
    const done = new Set(change.done_ids);
    const ids = change.host_ids.filter((id) => !done.has(id) && !isResolved(id));
    return { change, ids };
  }).filter(({ ids, change }) => ids.length + change.more > 0);
  const named = left.flatMap(({ ids }) => ids.slice(0, NAMED_MAX));
  const [hosts, tasks] = await Promise.all([
    readHosts(kv, taskId, named),
    readPlayTasks(kv, taskId, left.map(({ change }) => change.play_task_id)),
  ]);
  return {
    next,
    changes: left.map(({ change: { id, play_task_id, diff, more }, ids }) => {
      const { name = "", role = "", action = "" } = tasks.get(play_task_id) ?? {};
      return {
        ...{ id, play_task_id, diff, play_task: name, role, action },
        hosts: ids.slice(0, NAMED_MAX).flatMap((id) => hosts.get(id) ?? [])
          .map(({ id, name }) => ({ id, name })),
        count: ids.length + more,
        more: Math.max(0, ids.length - NAMED_MAX) + more,
      };
    }),
  };
}

/** Returns whether a later task has changed a host of a check, by the host's number in it. */
async function readResolved(
  kv: Store,
  projectId: number,
  templateId: number,
  taskId: number,
): Promise<(host: number) => boolean> {
  const { value } = await kv.get<ResolvedRow>(rowKeys.driftResolved(projectId, templateId));
  const bits = value?.task_id === taskId ? value.bits : new Uint8Array();
  return (host) => ((bits[host >> 3] ?? 0) & (1 << (host & 7))) !== 0;
}
