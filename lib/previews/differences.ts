import { playTaskKey } from "../results/match_tasks.ts";
import { findHead, listHosts, listPlays, listPlayTasks } from "../results/result_store.ts";
import { runOf } from "../output/run_id.ts";
import type { Difference, Differences } from "./schema.ts";
import { someHosts } from "./predictions.ts";
import { listChanges } from "../results/changes.ts";
import type { Store } from "../store/store.ts";

/**
 * Maximum number of compared changes of each side. The same change on several hosts counts once.
 */
const COMPARED_MAX = 10_000;

interface ChangedTask {
  play_task: string;
  role: string;
  unchecked: boolean;
  hosts: Set<string>;
  /** Hosts that the preview itself changed. */
  done: Set<string>;
}

/**
 * Returns the hosts that an Ansible task changed unexpectedly, or did not change as predicted. The
 * contents of changes are not compared, because they may be unknown. Returns null if the real
 * execution has no results.
 */
export async function findDifferences(kv: Store, taskId: number): Promise<Differences | null> {
  if (!await findHead(kv, taskId)) return null;
  const [predicted, done] = await Promise.all([
    changedTasks(kv, runOf(taskId, true)),
    changedTasks(kv, taskId),
  ]);
  const names = new Set([...done.tasks.keys(), ...predicted.tasks.keys()]);
  const items = [...names].flatMap((name): Difference[] => {
    const [before, after] = [predicted.tasks.get(name), done.tasks.get(name)];
    const { play_task, role } = (after ?? before)!;
    const unchecked = before?.unchecked ?? false;
    return [
      { kind: "unpredicted" as const, hosts: [...unpredicted(after, before)] },
      { kind: "absent" as const, hosts: [...without(before, after)] },
    ].filter(({ hosts }) => hosts.length > 0)
      .map(({ kind, hosts }) => ({ kind, play_task, role, unchecked, ...someHosts(hosts) }));
  });
  return {
    items: items.toSorted((a, b) => kindOrder(a) - kindOrder(b)),
    unpredicted: countHosts(
      names,
      (name) => unpredicted(done.tasks.get(name), predicted.tasks.get(name)),
    ),
    absent: countHosts(names, (name) => without(predicted.tasks.get(name), done.tasks.get(name))),
    partial: predicted.partial || done.partial,
  };
}

/** Sorts unexpected changes first. */
const kindOrder = ({ kind }: Difference) => kind === "unpredicted" ? 0 : 1;

const without = (some?: ChangedTask, others?: ChangedTask): Set<string> =>
  (some?.hosts ?? new Set<string>()).difference(others?.hosts ?? new Set());

/**
 * Returns the hosts that changed unexpectedly. A host that the preview itself changed may change
 * again.
 */
const unpredicted = (after?: ChangedTask, before?: ChangedTask): Set<string> =>
  without(after, before).difference(before?.done ?? new Set());

const countHosts = (names: Set<string>, hostsOf: (name: string) => Set<string>): number =>
  new Set([...names].flatMap((name) => [...hostsOf(name)])).size;

/**
 * Returns the hosts that each Ansible task changed, by its key in both executions: its position and
 * its name. How often it was executed does not matter.
 */
async function changedTasks(kv: Store, run: number) {
  const [plays, tasks, hosts, changes] = await Promise.all([
    listPlays(kv, run),
    listPlayTasks(kv, run),
    listHosts(kv, run),
    listChanges(kv, run, { after: null, limit: COMPARED_MAX + 1 }),
  ]);
  const byTask = Map.groupBy(changes.slice(0, COMPARED_MAX), ({ task }) => task);
  const found = new Map<string, ChangedTask>();
  for (const task of tasks) {
    const { id, play, name, role, unchecked = 0 } = task;
    const key = playTaskKey(task, plays[play - 1]?.name);
    let its = found.get(key);
    if (!its) {
      its = { play_task: name, role, unchecked: false, hosts: new Set(), done: new Set() };
      found.set(key, its);
    }
    its.unchecked ||= unchecked > 0;
    for (const change of byTask.get(id) ?? []) {
      const done = new Set(change.done);
      for (const host of change.hosts) {
        its[done.has(host) ? "done" : "hosts"].add(hosts[host - 1]?.name ?? "");
      }
    }
  }
  const partial = changes.length > COMPARED_MAX || changes.some(({ more }) => more > 0);
  return { tasks: found, partial };
}
