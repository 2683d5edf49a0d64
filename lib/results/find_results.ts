import { createPause } from "../base/pause.ts";
import type { ResultStatus } from "../execution/run/events.ts";
import {
  findCell,
  findHead,
  listHosts,
  listPlayTasks,
  type Place,
  readCells,
  readDiffs,
  readHosts,
  readPlayTasks,
  readStates,
  readTexts,
} from "./result_store.ts";
import { statesOf, statusOfCode } from "./rows.ts";
import type { HostResult, LinePlace } from "./schema.ts";
import { placeOfId } from "./result_ids.ts";
import { hostResult } from "./view.ts";

export interface ResultFilter {
  /** Of the host of this name. */
  host?: string;
  playTask?: number;
  statuses?: ResultStatus[];
  /** Only results with a greater id. */
  after?: number;
  limit: number;
}

/** Where there are results that are wanted, by play task and host; from the states alone. */
export async function findPlaces(
  kv: Deno.Kv,
  taskId: number,
  { host, playTask, statuses, after = 0, limit }: ResultFilter,
): Promise<Place[]> {
  const [allTasks, allHosts] = await Promise.all([
    listPlayTasks(kv, taskId),
    listHosts(kv, taskId),
  ]);
  const [afterTask, afterHost] = placeOfId(after);
  const hosts = allHosts.filter(({ name }) => host === undefined || name === host)
    .map(({ id }) => id);
  const tasks = allTasks.filter(({ id, counts }) =>
    id >= afterTask && (playTask === undefined || id === playTask) &&
    (!statuses || statuses.some((status) => counts[status]))
  ).map(({ id }) => id);
  const pause = createPause();
  const places: Place[] = [];
  // States are stored by many play tasks at a time: the rows of those that are not needed stay there.
  for (const some of Map.groupBy(tasks, statesOf).values()) {
    const codeOf = await readStates(kv, taskId, some, hosts);
    for (const task of some) {
      if (pause.isDue()) await pause.take();
      for (const its of hosts) {
        if (task === afterTask && its <= afterHost) continue;
        const status = statusOfCode(codeOf(task, its));
        if (!status || (statuses && !statuses.includes(status))) continue;
        places.push([task, its]);
        if (places.length === limit) return places;
      }
    }
  }
  return places;
}

/** The results at these places with what they say. */
export async function readResults(
  kv: Deno.Kv,
  taskId: number,
  places: Place[],
): Promise<HostResult[]> {
  const [head, tasks, hosts, found] = await Promise.all([
    findHead(kv, taskId),
    readPlayTasks(kv, taskId, places.map(([task]) => task)),
    readHosts(kv, taskId, places.map(([, host]) => host)),
    readCells(kv, taskId, places),
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

/** What is no other state may have changed something too: what failed afterwards, say. */
const UNCHANGED: readonly (ResultStatus | null)[] = [
  null,
  "ok",
  "skipped",
  "unreachable",
  "included",
];

/** Where a host was changed, those places last of which nobody knows what it was. */
export async function findHostChanges(
  kv: Deno.Kv,
  taskId: number,
  host: number,
): Promise<Place[]> {
  const tasks = (await listPlayTasks(kv, taskId)).map(({ id }) => id);
  const codeOf = await readStates(kv, taskId, tasks, [host]);
  const places = tasks.filter((task) => !UNCHANGED.includes(statusOfCode(codeOf(task, host))))
    .map((task) => [task, host] as const);
  const changed = (await readCells(kv, taskId, places)).filter(({ cell }) => cell.changed);
  const { known = [], unknown = [] } = Object.groupBy(
    changed,
    ({ cell }) => cell.diff > 0 ? "known" : "unknown",
  );
  return [...known, ...unknown].map(({ task }) => [task, host] as const);
}

/** Play tasks that may have printed one line, where hosts do not wait for each other. */
const CANDIDATES_MAX = 50;

/** What a line of the output belongs to; null for one that belongs to no play task. */
export async function findLine(
  kv: Deno.Kv,
  taskId: number,
  line: number,
): Promise<LinePlace | null> {
  const [tasks, hosts] = await Promise.all([listPlayTasks(kv, taskId), listHosts(kv, taskId)]);
  const around = tasks.filter((task) =>
    task.line !== null && task.line <= line && line <= (task.last_line ?? task.line)
  ).slice(-CANDIDATES_MAX);
  const ids = (rows: { id: number }[]) => rows.map(({ id }) => id);
  const place = { tasks: ids(around), hosts: ids(hosts) };
  const found = await findCell(
    kv,
    taskId,
    place,
    (cell) => cell.line !== null && cell.line <= line && line <= (cell.last_line ?? cell.line),
  );
  const task = found ? tasks[found.task - 1] : around.at(-1);
  return task ? { play_id: task.play, play_task_id: task.id, host_id: found?.host ?? null } : null;
}
