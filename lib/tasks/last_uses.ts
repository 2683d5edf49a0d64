import { cachedWhile } from "../store/cached.ts";
import { type Ref, rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import type { TaskRow } from "../model/task_row.ts";
import { isFinished } from "../model/status.ts";

/** The latest task that used a resource. */
export interface LastUse {
  task_id: number;
  /** Time of its start, or of its creation before that. */
  at: string;
}

/** The commit that a task checked out. */
export interface UsedCommit {
  task_id: number;
  hash: string;
  message: string;
}

interface LastUses {
  /** By `useName` of the resource. */
  uses: ReadonlyMap<string, LastUse>;
  /** Latest known commits by `branchName`. */
  commits: ReadonlyMap<string, UsedCommit>;
  /** By inventory, the latest finished task that was not limited to some of its hosts. */
  unlimited: ReadonlyMap<number, number>;
}

export const useName = ([kind, id]: Ref): string => `${kind} ${id}`;

/** Name of a repository's branch; null stands for the branch that the repository names itself. */
export const branchName = (repositoryId: number, branch: string | null): string =>
  `${repositoryId} ${branch ?? ""}`;

/** Maximum number of templates of a project. */
const LIST_MAX = 10_000;

/**
 * Returns what the latest task of each template used. The rows are as many as templates, so that
 * this does not take longer as the history grows. Earlier tasks of a template are not considered.
 */
export const readLastUses = (kv: Store, projectId: number): Promise<LastUses> =>
  cachedWhile(kv, [rowKeys.tasksWake()], `last uses of ${projectId}`, async () => {
    const entries = kv.list<TaskRow>({ prefix: rowKeys.lastTasks(projectId) }, {
      limit: LIST_MAX,
      batchSize: 500,
    });
    const tasks = await Array.fromAsync(entries, ({ value }) => value);
    // The latest one of the tasks that set an entry comes last.
    tasks.sort((a, b) => a.id - b.id);
    return {
      uses: new Map(
        tasks.flatMap((task) => refsOf(task).map((ref) => [useName(ref), useBy(task)])),
      ),
      commits: new Map(tasks.flatMap(commitOf)),
      unlimited: new Map(
        tasks.filter(({ limit, status }) => limit.length === 0 && isFinished(status))
          .map(({ inventory_id, id }) => [inventory_id, id]),
      ),
    };
  });

const useBy = ({ id, start, created }: TaskRow): LastUse => ({ task_id: id, at: start ?? created });

const refsOf = (task: TaskRow): Ref[] => [
  ["repositories", task.repository_id],
  ...task.toolchain_id ? [["toolchains", task.toolchain_id] as const] : [],
  ["inventories", task.inventory_id],
  ...[task.environment_id, ...task.more_environment_ids].flatMap((id): Ref[] =>
    id === null ? [] : [["environments", id]]
  ),
  ...task.vaults.map(({ vault_key_id }): Ref => ["keys", vault_key_id]),
  ...(task.ssh_keys ?? []).map(({ id }): Ref => ["keys", id]),
];

/** Before its start, a task has only the commit that was requested. */
function commitOf(task: TaskRow): [string, UsedCommit][] {
  const { id, start, repository_id, commit_hash, commit_message, git_branch } = task;
  if (start === null || commit_hash === null) return [];
  const commit = { task_id: id, hash: commit_hash, message: commit_message ?? "" };
  return [[branchName(repository_id, git_branch), commit]];
}
