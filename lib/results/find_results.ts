import { createPause } from "../base/time/pause.ts";
import type { ResultStatus } from "../execution/run/events.ts";
import {
  type CellPosition,
  findCell,
  findHead,
  listHosts,
  listPlayTasks,
  readCells,
  readDiffs,
  readHosts,
  readPlayTasks,
  readStates,
  readTexts,
} from "./result_store.ts";
import { positionOfId, statesOf, statusOfCode } from "./rows.ts";
import type { HostResultView, LineOrigin } from "./schema.ts";
import { hostResult } from "./view.ts";
import type { Store } from "../store/store.ts";

export interface ResultFilter {
  /** Only results of the host with this name. */
  host?: string;
  playTask?: number;
  statuses?: readonly ResultStatus[];
  /** Only results with a greater id. */
  after?: number;
  limit: number;
}

/**
 * Returns the positions of matching results, by Ansible task and host. It reads only the states.
 */
export async function findPositions(
  kv: Store,
  taskId: number,
  { host, playTask, statuses, after = 0, limit }: ResultFilter,
): Promise<CellPosition[]> {
  const [allTasks, allHosts] = await Promise.all([
    listPlayTasks(kv, taskId),
    listHosts(kv, taskId),
  ]);
  const [afterTask, afterHost] = positionOfId(after);
  const hosts = allHosts.filter(({ name }) => host === undefined || name === host)
    .map(({ id }) => id);
  const tasks = allTasks.filter(({ id, counts }) =>
    id >= afterTask && (playTask === undefined || id === playTask) &&
    (!statuses || statuses.some((status) => counts[status]))
  ).map(({ id }) => id);
  const pause = createPause();
  const positions: CellPosition[] = [];
  // A row of states covers many Ansible tasks. Rows without a needed one are not read.
  for (const some of Map.groupBy(tasks, statesOf).values()) {
    const codeOf = await readStates(kv, taskId, some, hosts);
    for (const task of some) {
      if (pause.isDue()) await pause.take();
      for (const its of hosts) {
        if (task === afterTask && its <= afterHost) continue;
        const status = statusOfCode(codeOf(task, its));
        if (!status || (statuses && !statuses.includes(status))) continue;
        positions.push([task, its]);
        if (positions.length === limit) return positions;
      }
    }
  }
  return positions;
}

/** Returns the results at these positions with their texts. */
export async function readResults(
  kv: Store,
  taskId: number,
  positions: CellPosition[],
): Promise<HostResultView[]> {
  const [head, tasks, hosts, found] = await Promise.all([
    findHead(kv, taskId),
    readPlayTasks(kv, taskId, positions.map(([task]) => task)),
    readHosts(kv, taskId, positions.map(([, host]) => host)),
    readCells(kv, taskId, positions),
  ]);
  const [texts, diffs] = await Promise.all([
    readTexts(kv, taskId, found.map(({ cell }) => cell.text)),
    readDiffs(kv, taskId, found.map(({ cell }) => cell.diff)),
  ]);
  return found.map((its) =>
    hostResult(its, {
      epoch: head?.began ?? 0,
      playTask: tasks.get(its.task)?.name ?? "",
      host: hosts.get(its.host)?.name ?? "",
      text: texts.get(its.cell.text),
      diff: diffs.get(its.cell.diff),
    })
  );
}

/** These statuses never carry a change. Every other one may, such as a failure after a change. */
const UNCHANGED: readonly (ResultStatus | null)[] = [
  null,
  "ok",
  "skipped",
  "unreachable",
  "included",
];

/** Returns the positions where a host was changed, with unknown changes last. */
export async function findHostChanges(
  kv: Store,
  taskId: number,
  host: number,
): Promise<CellPosition[]> {
  const tasks = (await listPlayTasks(kv, taskId)).map(({ id }) => id);
  const codeOf = await readStates(kv, taskId, tasks, [host]);
  const positions = tasks.filter((task) => !UNCHANGED.includes(statusOfCode(codeOf(task, host))))
    .map((task) => [task, host] as const);
  const changed = (await readCells(kv, taskId, positions)).filter(({ cell }) => cell.changed);
  const { known = [], unknown = [] } = Object.groupBy(
    changed,
    ({ cell }) => cell.diff > 0 ? "known" : "unknown",
  );
  return [...known, ...unknown].map(({ task }) => [task, host] as const);
}

/**
 * Maximum number of Ansible tasks that may have printed one line, if hosts do not wait for each
 * other.
 */
const CANDIDATES_MAX = 50;

/**
 * Returns the play, Ansible task and host of an output line; null if no Ansible task printed it.
 */
export async function findLine(
  kv: Store,
  taskId: number,
  line: number,
): Promise<LineOrigin | null> {
  const [tasks, hosts] = await Promise.all([listPlayTasks(kv, taskId), listHosts(kv, taskId)]);
  const around = tasks.filter((task) =>
    task.line !== null && task.line <= line && line <= (task.last_line ?? task.line)
  ).slice(-CANDIDATES_MAX);
  const ids = (rows: { id: number }[]) => rows.map(({ id }) => id);
  const position = { tasks: ids(around), hosts: ids(hosts) };
  const found = await findCell(
    kv,
    taskId,
    position,
    (cell) => cell.line !== null && cell.line <= line && line <= (cell.last_line ?? cell.line),
  );
  const task = found ? tasks[found.task - 1] : around.at(-1);
  return task ? { play_id: task.play, play_task_id: task.id, host_id: found?.host ?? null } : null;
}
