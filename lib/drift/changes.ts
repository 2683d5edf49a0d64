import { createHash } from "node:crypto";
import { cutText } from "../base/text/cut_text.ts";
import { readCells, readDiffs } from "../results/result_store.ts";
import type { HostRow, PlayTaskRow } from "../results/rows.ts";
import { wouldChange } from "../results/statuses.ts";
import { CHANGES_MAX } from "./rows.ts";
import type { Store } from "../store/store.ts";

/** The changes that a check predicts for a host. */
export interface PredictedChanges {
  /** Identities: equal changes of two checks have the same one. */
  ids: string[];
  /** The Ansible tasks that would make them. */
  tasks: string[];
}

/** Maximum number of Ansible tasks that are named for a host, and the length of a name. */
const TASKS_MAX = 50;
const TASK_LENGTH_MAX = 100;

/**
 * Returns a function for the changes that a check predicts for some hosts, by host. A change is
 * identified by its Ansible task and difference.
 */
export function changeReader(kv: Store, taskId: number, playTasks: PlayTaskRow[]) {
  const changing = playTasks.filter(({ counts, carried_out_changed = 0 }) =>
    (counts.changed ?? 0) + (counts.ignored ?? 0) > carried_out_changed
  );
  const byId = new Map(changing.map((task) => [task.id, task]));
  const known = new Map<string, string>();

  return async (hosts: HostRow[]): Promise<Map<number, PredictedChanges>> => {
    const changed = hosts.filter(wouldChange);
    const positions = changing.flatMap(({ id }) => changed.map((host) => [id, host.id] as const));
    const cells = (await readCells(kv, taskId, positions))
      .filter(({ cell }) => cell.changed && !cell.carried_out);
    const diffs = await readDiffs(kv, taskId, cells.map(({ cell }) => cell.diff));
    const identity = (task: number, diff: number) => {
      const name = `${task}.${diff}`;
      let id = known.get(name);
      if (id === undefined) {
        const { role, name: title, path } = byId.get(task)!;
        const text = JSON.stringify([role, title, path.split("/").at(-1), diffs.get(diff) ?? ""]);
        id = shortHash(text);
        known.set(name, id);
      }
      return id;
    };
    const found = new Map<number, PredictedChanges>();
    for (const { task, host, cell } of cells) {
      const { ids, tasks } = found.get(host) ?? { ids: [], tasks: [] };
      ids.push(identity(task, cell.diff));
      // The last one stands for all further ones.
      if (ids.length > CHANGES_MAX) ids.push(shortHash(ids.splice(-2).join()));
      const name = nameOf(byId.get(task)!);
      if (tasks.length < TASKS_MAX && !tasks.includes(name)) tasks.push(name);
      found.set(host, { ids, tasks });
    }
    return found;
  };
}

/** Returns the name of an Ansible task as Ansible announces it, such as "web : Write the motd". */
const nameOf = ({ role, name, action }: PlayTaskRow): string => {
  const own = name || action;
  const whole = role && !own.startsWith(`${role} : `) ? `${role} : ${own}` : own;
  return cutText(whole, TASK_LENGTH_MAX);
};

const shortHash = (text: string): string =>
  createHash("sha256").update(text).digest("base64url").slice(0, 12);
