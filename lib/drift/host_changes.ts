import type { ProjectScope } from "../access/scope.ts";
import { listHostChanges } from "../results/changes.ts";
import { listHosts } from "../results/result_store.ts";
import type { HostResultView } from "../results/schema.ts";
import { findTask } from "../model/tasks.ts";
import type { DriftRow } from "../model/drift_row.ts";
import type { HostDrift } from "./schema.ts";
import { readDriftRows } from "./store.ts";
import type { Store } from "../store/store.ts";

/** The first changes that a host needs for a template. */
export interface HostChanges {
  template_id: number;
  template_name: string;
  /** The check that has found them, and the host's number in it. */
  task_id: number;
  host_id: number;
  results: HostResultView[];
  /** Number of all of them. */
  total: number;
}

/** Number of templates whose changes are read, and of changes of each. */
const TEMPLATES_MAX = 10;
const CHANGES_MAX = 10;

/** Returns the changes that a host needs, for those of its states in which it differs. */
export async function listChangesOfHost(
  scope: ProjectScope,
  states: readonly HostDrift[],
): Promise<HostChanges[]> {
  const differing = states.filter(({ state }) => state === "would_change").slice(0, TEMPLATES_MAX);
  return (await Promise.all(differing.map((state) => changesIn(scope, state))))
    .filter((found) => found !== null);
}

async function changesIn(
  scope: ProjectScope,
  { host, template_id, template_name }: HostDrift,
): Promise<HostChanges | null> {
  const { deps: { kv }, projectId } = scope;
  const [row] = await readDriftRows(kv, projectId, template_id, [host]);
  // Retention deletes a check that was repeated on some hosts earlier than their states.
  if (!row || !await findTask(kv, projectId, row.task_id)) return null;
  const host_id = await numberOf(kv, row);
  if (host_id === undefined) return null;
  const page = { hostId: host_id, skip: 0, limit: CHANGES_MAX };
  const changes = await listHostChanges(scope, row.task_id, page);
  return { template_id, template_name, task_id: row.task_id, host_id, ...changes };
}

/** Returns the number of a host in the task that has observed its state. */
const numberOf = async (kv: Store, row: DriftRow): Promise<number | undefined> =>
  row.task_id === row.check_id
    ? row.host_id
    : (await listHosts(kv, row.task_id)).find(({ name }) => name === row.host)?.id;
