import type { ProjectScope } from "../../access/scope.ts";
import { getSeenTask } from "../../access/seen/tasks.ts";
import { sightOf } from "../../access/sight.ts";
import { lastGood } from "../../compare/service.ts";
import { repositoryKind } from "../../execution/git/url.ts";
import { webAddress } from "../../execution/git/web_address.ts";
import { grants } from "../../access/permissions.ts";
import { environmentRows } from "../../resources/environments/repository.ts";
import { repositoryRows } from "../../resources/repositories/repository.ts";
import {
  type InventorySummary,
  summarizeInventories,
} from "../../resources/inventories/summaries.ts";
import type { LogHead } from "../../output/store.ts";
import type { RepositoryRow } from "../../resources/repositories/schema.ts";
import { readApproval, type TaskApprovalStatus } from "../../queue/approvals/approvals.ts";
import { readWait, type Wait } from "../../queue/waiting/overview.ts";
import { listOutputs } from "../../tasks/outputs.ts";
import {
  findRetriable,
  listRetries,
  type Retriable,
  type RetryTask,
} from "../../queue/again/retriable.ts";
import { type AttemptChain, readAttempts } from "../../queue/ending/attempts_end.ts";
import type { TaskOutputValue, TaskView } from "../../tasks/schema.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { type Initiator, initiatorsOf } from "../../tasks/initiators.ts";
import { isFinished, isQueued } from "../../model/status.ts";
import { mayStop, startersOf } from "../../queue/ending/may_stop.ts";
import { taskView } from "../../tasks/view.ts";

/** A task with the data that its page shows. */
export interface TaskAbout {
  task: TaskView;
  initiator: Initiator;
  /** Its inventory, with the number of hosts if that is known; null if it was deleted. */
  inventory: Pick<InventorySummary, "id" | "name" | "hosts"> | null;
  /** Null if it was deleted. */
  repository: { id: number; name: string } | null;
  /** Its first environment; null for none, or if it was deleted. */
  environment: { id: number; name: string } | null;
  /** Addresses of its commit and of its playbook there; null if they are unknown. */
  web: { commit: string; file: string } | null;
  /** Whether the reader may stop it. */
  mayStop: boolean;
  /** Whether the reader may read its output. */
  mayRead: boolean;
  /** Whether the reader can open the forms of these resources. */
  mayManage: boolean;
  /** Its own branch, or else the repository's; empty for a folder or a deleted repository. */
  branch: string;
  limit: string;
  /** Whether a task of its template succeeded before it. */
  isComparable: boolean;
  /** Labels that its runner must have. */
  labels: string[];
  /** Hosts that it can be repeated on; null if there are none. */
  retriable: Retriable | null;
  /** The latest tasks that repeat it, oldest first. */
  retries: RetryTask[];
  /** Its automatic attempts; null if it is never repeated automatically. */
  chain: AttemptChain | null;
  /** Reason why it waits; null if it does not. */
  wait: Wait | null;
  /** Null for a task that no one confirms. */
  approval: TaskApprovalStatus | null;
  /** Empty until it has ended. */
  outputs: TaskOutputValue[];
  now: Date;
  /** Path of the page that shows it, without sub-path. */
  here: string;
}

/** Loads a task with the data that its page shows. Throws 404 for tasks of other projects. */
export async function aboutTask(scope: ProjectScope, id: number, url: URL): Promise<TaskAbout> {
  const { deps, projectId } = scope;
  const { kv, clock, config: { basePath } } = deps;
  const [sight, row] = await Promise.all([sightOf(scope), getSeenTask(scope, id)]);
  const [
    task,
    [initiator],
    inventories,
    repository,
    good,
    wait,
    outputs,
    retriable,
    retries,
    chain,
    approval,
    environment,
  ] = await Promise.all([
    taskView(deps, row, { unjudged: true, sight }),
    initiatorsOf(kv, [row], sight),
    summarizeInventories(scope),
    repositoryRows.find(kv, projectId, row.repository_id),
    lastGood(scope, row),
    isQueued(row.status) ? readWait(scope, id) : null,
    isFinished(row.status) ? listOutputs(scope, id) : [],
    findRetriable(scope, id),
    listRetries(scope, row),
    readAttempts(scope, row),
    readApproval(scope, row),
    row.environment_id === null ? null : environmentRows.find(kv, projectId, row.environment_id),
  ]);
  const named = (found?: { row: { id: number; name: string } } | null) =>
    found ? { id: found.row.id, name: found.row.name } : null;
  return {
    task,
    initiator,
    inventory: inventories.find(({ id }) => id === row.inventory_id) ?? null,
    repository: named(repository),
    environment: named(environment),
    web: repository && row.commit_hash
      ? webAddress(repository.row.git_url, row.commit_hash, task.tpl_playbook)
      : null,
    mayStop: mayStop(scope, startersOf(row)),
    mayRead: grants(scope.permissions, "read_output"),
    mayManage: grants(scope.permissions, "manage_resources"),
    branch: branchOf(row, repository?.row),
    limit: row.limit.join(","),
    isComparable: good !== null,
    labels: row.runner_labels ?? [],
    retriable,
    retries,
    chain,
    wait,
    outputs,
    approval,
    now: clock.now(),
    here: url.pathname.slice(basePath.length) + url.search,
  };
}

function branchOf(task: TaskRow, repository: RepositoryRow | undefined): string {
  if (!repository || repositoryKind(repository.git_url) === "local") return "";
  return task.git_branch ?? repository.git_branch;
}

/** Returns the line that a URL names in `line`; null if there is no such line. */
export function namedLine({ searchParams }: URL, { lines }: Pick<LogHead, "lines">): number | null {
  const line = numberOf(searchParams.get("line"));
  return line !== null && line >= 1 && line <= lines ? line : null;
}

/** Parses a whole number from a URL; null for anything else. */
export const numberOf = (text: string | null): number | null =>
  text && /^\d{1,12}$/.test(text) ? Number(text) : null;
