import type { HostResult, RunEvent } from "../execution/run/events.ts";
import { bands, type Row } from "./bands.ts";
import { linesAhead } from "./lines_ahead.ts";
import type { PlayRow, PlayTaskRow } from "./rows.ts";
import { runHosts } from "./run_hosts.ts";

/** Maximum numbers of plays and Ansible tasks. The results of further ones count as lost. */
const PLAYS_MAX = 1_000;
const TASKS_MAX = 10_000;

type PlayEvent = Extract<RunEvent, { type: "play" }>;
type TaskEvent = Omit<Extract<RunEvent, { type: "task" }>, "type">;

/** Collects the plays, Ansible tasks and hosts of an execution in their order. */
export function runOutline(isThere: (task: number, host: number) => boolean) {
  const plays = bands<PlayRow>("plays");
  const tasks = bands<PlayTaskRow>("tasks");
  const hosts = runHosts();
  const ahead = linesAhead();
  /** The latest row of each Ansible task of the current play. */
  const current = new Map<string, number>();
  let free = false;

  function beginPlay(play: PlayEvent): boolean {
    current.clear();
    ahead.clear();
    free = play.free;
    if (plays.size() >= PLAYS_MAX) return false;
    const { name, at, lines } = play;
    plays.add({ id: plays.size() + 1, name, began: at, ended: at, line: lines?.to ?? null });
    return true;
  }

  function addTask({ line, at, lines, ...about }: TaskEvent): PlayTaskRow | null {
    if (tasks.size() >= TASKS_MAX) return null;
    const task = tasks.add({
      ...about,
      id: tasks.size() + 1,
      play: Math.max(1, plays.size()),
      path_line: line,
      began: at,
      ended: at,
      // Warnings may come before the announcement.
      line: lines?.to ?? null,
      last_line: lines?.to ?? null,
      counts: {},
      slowest: null,
    });
    current.set(about.uuid, task.id);
    return task;
  }

  /** Returns the row for a result. A host that already has one there begins another row. */
  function taskOf({ uuid, began: at }: HostResult, host: number): PlayTaskRow | null {
    const id = current.get(uuid);
    if (id !== undefined && !isThere(id, host)) return tasks.change(id);
    const { name, action, role, path, path_line: line, handler } = id === undefined
      ? UNKNOWN
      : tasks.get(id);
    return addTask({ uuid, name, action, role, path, line, handler, at, lines: null });
  }

  return {
    beginPlay,
    /** Adds an Ansible task. Hosts that do not wait for each other all announce it. */
    beginTask: ({ type: _, ...task }: TaskEvent & { type: "task" }): boolean =>
      free && current.has(task.uuid) || addTask(task) !== null,
    taskOf,
    hosts,
    announce: ahead.add,
    linesOf: ahead.linesOf,
    /** Extends the current play until this time. */
    goOn(at: number): void {
      if (plays.size() === 0) return;
      const play = plays.change(plays.size());
      play.ended = Math.max(play.ended, at);
    },
    sizes: () => ({ plays: plays.size(), tasks: tasks.size(), hosts: hosts.size() }),
    rows: (): Row[] => [...plays.take(), ...tasks.take(), ...hosts.rows()],
  };
}

/** An Ansible task whose announcement was lost. */
const UNKNOWN = { name: "", action: "", role: "", path: "", path_line: 0, handler: false };
