import type { ToolchainPlan } from "../../execution/ansible/plan.ts";
import {
  abilitiesForToolchain,
  isAble,
  missingTool,
  type NeededTool,
} from "../../runner/portable.ts";
import { isOnline, type RunnerSeen } from "../../runners/presence.ts";
import { type RunnerRow, servesProject } from "../../runners/rows.ts";
import type { OpenTask } from "../open_tasks.ts";

/** Reason why no runner takes a task yet. */
export type RunnerWait =
  | { kind: "none" }
  | { kind: "label"; labels: string[] }
  | { kind: "paused"; name: string }
  /** `at` is in milliseconds, or 0 for a runner that was never seen. */
  | { kind: "silent"; name: string; at: number }
  | { kind: "busy"; name: string; running: number; max: number }
  /** The runner of the task's preview was deleted. */
  | { kind: "gone"; name: string }
  /** Its program is too old. */
  | { kind: "update"; name: string }
  /** Its machine, and those of all other runners that match, have no such program. */
  | { kind: "tool"; tool: NeededTool; labels: string[] };

/** The runners that tasks may be placed on. */
export interface Placeable {
  runners: readonly RunnerRow[];
  /** When each runner was last seen. Runners that were never seen are missing. */
  seen: ReadonlyMap<number, Pick<RunnerSeen, "at" | "left">>;
  now: Date;
  /** Runners that take a task from this server now; null if that is not known. */
  offers: ReadonlySet<number> | null;
  /** The toolchains of queued tasks by their ids. */
  toolchains: ReadonlyMap<number, ToolchainPlan>;
}

/** Where a task starts, or why it does not. */
export type Placement = { runner: number } | { wait: RunnerWait };

/** Places tasks on runners one after the other, so that a runner gets no more than it takes. */
interface Placer {
  place(task: OpenTask): Placement;
  /** Counts a task that runs. */
  hold(task: Pick<OpenTask, "runner_id">): void;
}

export function createPlacer({ runners, seen, now, offers, toolchains }: Placeable): Placer {
  const running = new Map<number, number>();
  const offered = new Set(offers);
  const runningOn = (id: number) => running.get(id) ?? 0;
  const slots = ({ max_parallel_tasks: limit, facts }: RunnerRow) =>
    Math.min(limit || Infinity, facts?.slots ?? Infinity);
  const seenAt = ({ id }: RunnerRow) => seen.get(id)?.at ?? 0;

  function hold(id: number | undefined) {
    if (id !== undefined) running.set(id, runningOn(id) + 1);
  }

  function place(task: OpenTask): Placement {
    const { project_id, labels = [], runner_id, runner_name = "", personal, keys, folder } = task;
    // A project's own runners belong to people who must not get secrets of others.
    const own = runners.filter((runner) =>
      servesProject(runner, project_id) && (!personal || runner.project_id === null)
    );
    if (own.length === 0 && runner_id === undefined) return { wait: { kind: "none" } };
    const able = own.filter((runner) =>
      runner_id === undefined
        ? labels.every((label) => runner.labels.includes(label))
        : runner.id === runner_id
    );
    if (able.length === 0) {
      return runner_id === undefined
        ? { wait: { kind: "label", labels } }
        : { wait: { kind: "gone", name: runner_name } };
    }
    const toolchain = toolchains.get(task.toolchain_id ?? 0);
    const needed = [
      ...keys ? ["ssh_keys" as const] : [],
      ...folder ? ["working_directory" as const] : [],
      ...abilitiesForToolchain({ toolchain }),
    ];
    const knowing = able.filter((runner) => isAble(runner, needed));
    if (knowing.length === 0) return { wait: { kind: "update", name: able[0].name } };
    const lacking = (runner: RunnerRow) => toolchain ? missingTool(runner, toolchain) : null;
    const equipped = knowing.filter((runner) => lacking(runner) === null);
    if (equipped.length === 0) {
      return { wait: { kind: "tool", tool: lacking(knowing[0])!, labels } };
    }
    const active = equipped.filter(({ state }) => state === "active");
    if (active.length === 0) return { wait: { kind: "paused", name: equipped[0].name } };
    const current = active.filter(({ outdated }) => !outdated);
    if (current.length === 0) return { wait: { kind: "update", name: active[0].name } };
    const online = current.filter(({ id }) => offered.has(id) || isOnline(seen.get(id), now));
    if (online.length === 0) {
      const latest = current.reduce((a, b) => seenAt(b) > seenAt(a) ? b : a);
      return { wait: { kind: "silent", name: latest.name, at: seenAt(latest) } };
    }
    const free = online.filter((runner) =>
      runningOn(runner.id) < slots(runner) && (offers === null || offered.has(runner.id))
    );
    if (free.length === 0) {
      const { id, name } = online[0];
      return { wait: { kind: "busy", name, running: runningOn(id), max: slots(online[0]) } };
    }
    const { id } = free.reduce((a, b) => runningOn(b.id) < runningOn(a.id) ? b : a);
    offered.delete(id);
    hold(id);
    return { runner: id };
  }

  return { place, hold: ({ runner_id }) => hold(runner_id) };
}
