import { hasAddress } from "../hosts/rows.ts";
import { findHead, listHosts, listPlayTasks } from "../results/result_store.ts";
import { wouldChange } from "../results/statuses.ts";
import type { TaskRow } from "../model/task_row.ts";
import type { UncheckedRow } from "../model/drift_row.ts";
import { changeReader, type PredictedChanges } from "./changes.ts";
import {
  type CheckedHost,
  checkedHost,
  isApplied,
  isCertainCheck,
  isWhole,
  mayHaveEndedEarly,
} from "./state.ts";
import type { Store } from "../store/store.ts";
import { readUnchecked, type UncheckedPart } from "./unchecked.ts";

/** Results of a task on a host, as far as drift needs them. */
export interface HostPart {
  /** The host's number within the task. */
  id: number;
  name: string;
  /** Time of its last result in milliseconds since the epoch. */
  ended: number;
  checked: CheckedHost;
  /** The first Ansible task that could not be checked; null if there is none. */
  unchecked: UncheckedRow | null;
  /** Number of Ansible tasks that check mode left out. */
  left_out: number;
  change_ids: string[];
  /** The Ansible tasks that would change it. */
  change_tasks: string[];
  /** Whether the task has made it as described, if it was not a dry run. */
  isApplied: boolean;
}

/** Parts of a task that are about its hosts. */
export interface HostParts {
  hosts: HostPart[];
  /** Whether it has reached all hosts that it was for. */
  isWhole: boolean;
}

/** Number of hosts whose changes are read together. */
const READ_TOGETHER = 100;

/** Returns these results of a finished task for all of its hosts. */
export async function readHostParts(
  kv: Store,
  { id: taskId, check }: Pick<TaskRow, "id" | "check">,
): Promise<HostParts> {
  const head = await findHead(kv, taskId);
  if (!head) return { hosts: [], isWhole: false };
  const rows = (await listHosts(kv, taskId)).filter(({ name }) => hasAddress(name));
  const playTasks = await listPlayTasks(kv, taskId);
  const isToTheEnd = !mayHaveEndedEarly(playTasks);
  const isCertain = isToTheEnd && isCertainCheck(head);
  const changes = new Map<number, PredictedChanges>();
  const unchecked = new Map<number, UncheckedPart>();
  if (check) {
    const read = changeReader(kv, taskId, playTasks);
    const changed = rows.filter(wouldChange);
    for (let at = 0; at < changed.length; at += READ_TOGETHER) {
      const found = await read(changed.slice(at, at + READ_TOGETHER));
      for (const [host, its] of found) changes.set(host, its);
    }
    const unsure = rows.filter((row) => checkedHost(row, true).partial);
    for (let at = 0; at < unsure.length; at += READ_TOGETHER) {
      const found = await readUnchecked(
        kv,
        taskId,
        playTasks,
        unsure.slice(at, at + READ_TOGETHER),
      );
      for (const [host, part] of found) unchecked.set(host, part);
    }
  }
  return {
    hosts: rows.map((row) => ({
      id: row.id,
      name: row.name,
      ended: row.ended,
      checked: checkedHost(row, isCertain, unchecked.get(row.id)?.isAnyChecked),
      unchecked: unchecked.get(row.id)?.first ?? dependsOn(head.check_mode),
      left_out: row.unchecked ?? 0,
      change_ids: changes.get(row.id)?.ids ?? [],
      change_tasks: changes.get(row.id)?.tasks ?? [],
      isApplied: isToTheEnd && isApplied(row, head),
    })),
    isWhole: isToTheEnd && isWhole(head),
  };
}

/** Returns the first place where the play depends on check mode, such as "site.yml:3". */
function dependsOn([place]: string[] = []): UncheckedRow | null {
  if (place === undefined) return null;
  const [, file = place, line = "0"] = /^(.+):(\d+)$/.exec(place) ?? [];
  return {
    ...{ why: "depends", play_task: "", action: "", message: "", line: null },
    ...{ file: Number(line) > 0 ? file : "", file_line: Number(line) },
  };
}
