import type { Sentence } from "../base/errors.ts";
import { isoTime } from "../base/time/clock.ts";
import { isFinished, type Status } from "../model/status.ts";
import {
  type HostRow,
  type PlayRow,
  type PlayTaskRow,
  type ResultHead,
  resultId,
  type ResultText,
} from "./rows.ts";
import type {
  AnsibleError,
  AnsibleHost,
  HostResultView,
  Play,
  PlayTask,
  RunHost,
  RunResults,
} from "./schema.ts";
import type { FoundCell } from "./result_store.ts";
import { hostStatus } from "./statuses.ts";

export const runResults = (
  { began, ended, tasks, check_mode = [], ...head }: ResultHead,
): RunResults => ({
  ...head,
  check_mode,
  play_tasks: tasks,
  full_dropped: head.full_dropped ?? 0,
  start: isoTime(began),
  end: isoTime(ended),
});

type Completeness = Pick<RunResults, "complete" | "lost">;

/**
 * Whether the results of a task with this status end before its playbook did. A preview is finished
 * once it waits for its confirmation.
 */
export const endsEarly = (status: Status, { complete }: Completeness): boolean =>
  !complete && (isFinished(status) || status === "waiting_confirmation");

/** Returns the reasons why results are incomplete; empty if they are complete so far. */
export function gapsOf(status: Status, run: Completeness): Sentence[] {
  const gaps: Sentence[] = [];
  if (endsEarly(status, run)) {
    gaps.push({ key: `results.ends_early${status === "stopped" ? "_stopped" : ""}` });
  }
  if (run.lost > 0) gaps.push({ key: "results.lost", params: { count: run.lost } });
  return gaps;
}

export const runHost = (
  { began, ended, busy_ms, carried_out = 0, unchecked: _unchecked, ...host }: HostRow,
): RunHost => ({
  ...host,
  carried_out,
  status: hostStatus(host),
  start: isoTime(began),
  end: isoTime(ended),
  duration_ms: busy_ms,
});

export function playTask(row: PlayTaskRow, hosts: HostRow[]): PlayTask {
  const { play, began, ended, slowest, ...task } = row;
  return {
    ...task,
    unchecked: task.unchecked ?? 0,
    carried_out: task.carried_out ?? 0,
    carried_out_changed: task.carried_out_changed ?? 0,
    play_id: play,
    start: isoTime(began),
    end: isoTime(ended),
    slowest: slowest && {
      host_id: slowest.host,
      host: hosts[slowest.host - 1]?.name ?? "",
      duration_ms: slowest.ms,
    },
  };
}

export const playView = ({ began, ended, ...row }: PlayRow, tasks: PlayTask[]): Play => ({
  ...row,
  start: isoTime(began),
  end: isoTime(ended),
  tasks,
});

/** Returns a result with its texts. Its times are relative to `epoch`. */
export function hostResult(
  { task, host, cell }: FoundCell,
  { epoch, playTask, host: name, text, diff }: {
    epoch: number;
    playTask: string;
    host: string;
    text: ResultText | undefined;
    diff: string | undefined;
  },
): HostResultView {
  const { began, ms, items, text: _text, diff: _diff, full: _full, ...its } = cell;
  return {
    ...its,
    id: resultId(task, host),
    play_task_id: task,
    play_task: playTask,
    host_id: host,
    host: name,
    start: isoTime(epoch + began),
    duration_ms: ms,
    message: text?.message ?? "",
    delegated_to: text?.delegated_to ?? "",
    items: items && { ok: items[0], changed: items[1], failed: items[2], skipped: items[3] },
    item_results: text?.items ?? [],
    diff: diff ?? null,
  };
}

interface InTask {
  projectId: number;
  taskId: number;
}

export const ansibleHost = ({ projectId, taskId }: InTask, host: RunHost): AnsibleHost => {
  const {
    name,
    status: _status,
    start: _start,
    end,
    duration_ms: _ms,
    carried_out: _done,
    ...counts
  } = host;
  return { ...counts, task_id: taskId, project_id: projectId, host: name, created: end };
};

export const ansibleError = (
  { projectId, taskId }: InTask,
  result: HostResultView,
): AnsibleError => ({
  id: result.id,
  task_id: taskId,
  project_id: projectId,
  host: result.host,
  task: result.play_task,
  error: result.message || result.item_results.map(({ message }) => message).join("\n"),
  created: isoTime(Date.parse(result.start) + result.duration_ms),
});
