import type { ProjectScope } from "../access/scope.ts";
import { getSeenTask } from "../access/seen/tasks.ts";
import { notFound } from "../base/errors.ts";
import { runOf, type WhichRun } from "../output/run_id.ts";
import {
  findHead,
  listHosts as listHostRows,
  listPlays as listPlayRows,
  listPlayTasks,
  readCells,
  readFull,
  readStates,
} from "./result_store.ts";
import { findLine, findPositions, readResults, type ResultFilter } from "./find_results.ts";
import { positionOfId, statusOfCode } from "./rows.ts";
import type {
  FullHostResult,
  HostResultView,
  LineOrigin,
  Play,
  ResultsSummary,
  RunHost,
  RunResults,
} from "./schema.ts";
import { type HostStatus, STATUS_SIGNS } from "./statuses.ts";
import { endsEarly, playTask, playView, runHost, runResults } from "./view.ts";

/**
 * Returns the summary of a task's results; null if there are none, as for tasks of earlier
 * versions.
 */
export async function getRunResults(
  scope: ProjectScope,
  taskId: number,
  { preview }: WhichRun = {},
): Promise<RunResults | null> {
  const { kv } = scope.deps;
  const { id } = await getSeenTask(scope, taskId);
  const head = await findHead(kv, runOf(id, preview));
  return head && runResults(head);
}

/** Returns the summary and whether the results are incomplete. Throws 404 if there are none. */
export async function getResultsSummary(
  scope: ProjectScope,
  taskId: number,
  which: WhichRun,
): Promise<ResultsSummary> {
  const run = await getRunResults(scope, taskId, which);
  if (!run) throw notFound();
  const { status } = await getSeenTask(scope, taskId);
  return { ...run, ends_early: endsEarly(status, run) };
}

interface HostFilter extends WhichRun {
  statuses?: readonly HostStatus[];
  /** Only hosts with a greater id. */
  after?: number;
  limit?: number;
}

/** Returns the hosts with Ansible's recap of each, in order of appearance. */
export async function listRunHosts(
  scope: ProjectScope,
  taskId: number,
  { statuses, after = 0, limit = Infinity, preview }: HostFilter = {},
): Promise<{ hosts: RunHost[]; hasNext: boolean }> {
  const { kv } = scope.deps;
  const { id } = await getSeenTask(scope, taskId);
  const rows = (await listHostRows(kv, runOf(id, preview))).filter((row) => row.id > after).map(
    runHost,
  );
  const hosts = statuses ? rows.filter(({ status }) => statuses.includes(status)) : rows;
  return { hosts: hosts.slice(0, limit), hasNext: hosts.length > limit };
}

/** Returns the plays with their tasks. */
export async function listRunPlays(
  scope: ProjectScope,
  taskId: number,
  { preview }: WhichRun = {},
): Promise<Play[]> {
  const { kv } = scope.deps;
  const { id } = await getSeenTask(scope, taskId);
  const run = runOf(id, preview);
  const [plays, tasks, hosts] = await Promise.all([
    listPlayRows(kv, run),
    listPlayTasks(kv, run),
    listHostRows(kv, run),
  ]);
  const views = Map.groupBy(tasks.map((row) => playTask(row, hosts)), ({ play_id }) => play_id);
  return plays.map((row) => playView(row, views.get(row.id) ?? []));
}

/** Returns results by Ansible task, and within it by host. */
export async function listRunResults(
  scope: ProjectScope,
  taskId: number,
  { limit, preview, ...filter }: ResultFilter & WhichRun,
): Promise<{ results: HostResultView[]; hasNext: boolean }> {
  const { kv } = scope.deps;
  const { id } = await getSeenTask(scope, taskId);
  const run = runOf(id, preview);
  const positions = await findPositions(kv, run, { ...filter, limit: limit + 1 });
  const results = await readResults(kv, run, positions.slice(0, limit));
  return { results, hasNext: positions.length > limit };
}

/** Returns one result by its id; null if there is none. */
export async function findRunResult(
  scope: ProjectScope,
  taskId: number,
  resultId: number,
  { preview }: WhichRun = {},
): Promise<HostResultView | null> {
  const { kv } = scope.deps;
  const { id } = await getSeenTask(scope, taskId);
  return (await readResults(kv, runOf(id, preview), [positionOfId(resultId)])).at(0) ?? null;
}

/**
 * Returns the statuses of some Ansible tasks on some hosts, all by their ids. Each host has a text
 * with one of `STATUS_SIGNS`, or ".", for each Ansible task.
 */
export async function readRunMatrix(
  scope: ProjectScope,
  taskId: number,
  { playTasks, hosts, preview }: { playTasks: number[]; hosts: number[] } & WhichRun,
): Promise<string[]> {
  const { kv } = scope.deps;
  const { id } = await getSeenTask(scope, taskId);
  const codeOf = await readStates(kv, runOf(id, preview), playTasks, hosts);
  return hosts.map((host) =>
    playTasks.map((task) => {
      const status = statusOfCode(codeOf(task, host));
      return status ? STATUS_SIGNS[status] : ".";
    }).join("")
  );
}

/**
 * Returns the play, Ansible task and host of an output line; null if no Ansible task printed it.
 */
export async function findRunLine(
  scope: ProjectScope,
  taskId: number,
  line: number,
): Promise<LineOrigin | null> {
  const { kv } = scope.deps;
  const { id } = await getSeenTask(scope, taskId);
  return await findLine(kv, id, line);
}

/** Returns one result by its id with the full answer of its module; null if there is none. */
export async function findFullResult(
  scope: ProjectScope,
  taskId: number,
  resultId: number,
  { preview }: WhichRun = {},
): Promise<FullHostResult | null> {
  const { kv } = scope.deps;
  const { id } = await getSeenTask(scope, taskId);
  const run = runOf(id, preview);
  const positions = [positionOfId(resultId)];
  const [[result], [found]] = await Promise.all([
    readResults(kv, run, positions),
    readCells(kv, run, positions),
  ]);
  if (!result || !found) return null;
  const { full: number } = found.cell;
  const full = (await readFull(kv, run, [number])).get(number);
  return { ...result, result: full?.value ?? null, shortened: full?.shortened ?? [] };
}
