import type { Sentence } from "../base/errors.ts";
import { plainReason, type Reason } from "../base/reason.ts";
import type { DriftRow, UncheckedRow } from "../model/drift_row.ts";
import { failureMessage } from "../results/first_failure.ts";
import { readResults } from "../results/find_results.ts";
import { readCells, readStates } from "../results/result_store.ts";
import { type HostRow, type PlayTaskRow, statusCode } from "../results/rows.ts";
import { isFailure, isHandledFailure } from "../results/statuses.ts";
import type { Store } from "../store/store.ts";

/** The part of a host that a check could not check, and whether it checked anything else. */
export interface UncheckedPart {
  /** The first such Ansible task; null if there is none. */
  first: UncheckedRow | null;
  isAnyChecked: boolean;
}

/** Number of Ansible tasks among which the first one that was not checked is searched. */
const TASKS_MAX = 100;

/** Actions that say nothing about the state of a host. */
const SILENT = /^(?:ansible\.(?:builtin|legacy)\.)?(?:setup|gather_facts|debug|set_fact|assert)$/;

const hasFailed = ({ counts }: PlayTaskRow): boolean =>
  Boolean(counts.failed || counts.unreachable || counts.rescued || counts.ignored);

/** Returns what a check could not check on some hosts, by their numbers. */
export async function readUnchecked(
  kv: Store,
  taskId: number,
  playTasks: PlayTaskRow[],
  hosts: HostRow[],
): Promise<Map<number, UncheckedPart>> {
  const ids = hosts.map(({ id }) => id);
  const telling = playTasks.filter((task) => task.unchecked || hasFailed(task)).slice(0, TASKS_MAX);
  const positions = telling.flatMap(({ id }) => ids.map((host) => [id, host] as const));
  const checking = playTasks.filter(({ action, counts }) =>
    !SILENT.test(action) && (counts.ok || counts.changed)
  ).map(({ id }) => id);
  const [cells, stateOf] = await Promise.all([
    readCells(kv, taskId, positions),
    readStates(kv, taskId, checking, ids),
  ]);
  const done = [statusCode("ok"), statusCode("changed")];
  const byHost = Map.groupBy(
    cells.filter(({ cell }) =>
      cell.unchecked || isFailure(cell.status) || isHandledFailure(cell.status)
    ),
    ({ host }) => host,
  );
  // A failure explains more than a module without check mode.
  const firsts = [...byHost.values()].map((its) =>
    its.find(({ cell }) => !cell.unchecked) ?? its[0]
  );
  const results = await readResults(kv, taskId, firsts.map(({ task, host }) => [task, host]));
  const tasks = new Map(telling.map((task) => [task.id, task]));
  const found = new Map(results.map((result) => {
    const task = tasks.get(result.play_task_id)!;
    return [
      result.host_id,
      {
        why: result.unchecked ? "no_check_mode" : "failed",
        play_task: result.play_task,
        action: task.action,
        ...{ file: task.path, file_line: task.path_line, line: result.line ?? task.line },
        message: result.unchecked ? "" : failureMessage(result),
      } satisfies UncheckedRow,
    ];
  }));
  return new Map(ids.map((id) => [id, {
    first: found.get(id) ?? null,
    isAnyChecked: checking.some((task) => done.includes(stateOf(task, id))),
  }]));
}

/** Returns why a host was not, or not wholly, checked; null if it was. */
export function reasonOfState(row: DriftRow): Reason | null {
  const { host, state, partial, unchecked: first } = row;
  if (!partial) {
    return state === "not_reached" ? plain(host, { key: "drift.reasons.gone" }) : null;
  }
  return first ? reasonOfUnchecked(host, first) : plain(host, { key: "drift.reasons.incomplete" });
}

function reasonOfUnchecked(host: string, first: UncheckedRow): Reason {
  const { why, play_task, action, file, file_line, line, message } = first;
  return {
    subject: host,
    step: play_task,
    message: why === "failed" ? message : { key: `drift.reasons.${why}`, params: { action } },
    more: 0,
    place: file === "" ? null : { file, line: file_line, column: null },
    line,
  };
}

/** Returns why Ansible tasks were not checked on hosts, once for each, most hosts first. */
export function uncheckedReasons(
  hosts: { name: string; unchecked: UncheckedRow | null }[],
  max: number,
): Reason[] {
  const found = new Map<string, Reason>();
  for (const { name, unchecked } of hosts) {
    if (!unchecked) continue;
    const { why, file, file_line, play_task } = unchecked;
    const key = [why, file, file_line, play_task].join("\0");
    const known = found.get(key);
    if (known) known.more++;
    else found.set(key, reasonOfUnchecked(name, unchecked));
  }
  return [...found.values()].toSorted((a, b) => b.more - a.more).slice(0, max);
}

const plain = (subject: string, message: Sentence): Reason => ({
  ...plainReason(message),
  subject,
});
