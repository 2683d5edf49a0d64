import {
  emptyRecap,
  type HostRecap,
  type HostResult,
  type RunEvent,
} from "../execution/run/events.ts";
import { packed } from "../store/rows/packed_json.ts";
import { BAND, bandOf, type HostRow, type PlayRow, type PlayTaskRow, type Row } from "./rows.ts";
import type { LineRange } from "../execution/log/markers.ts";

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
    advanceTo(at: number): void {
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

/** Creates a list of items with ids from 1. Changed items are stored in bands. */
function bands<T>(kind: string) {
  const items: T[] = [];
  const changed = new Set<number>();
  return {
    size: () => items.length,
    /** Adds an item. Its id is the size afterwards. */
    add(item: T): T {
      items.push(item);
      changed.add(bandOf(items.length));
      return item;
    },
    get: (id: number): T => items[id - 1],
    /** Returns the item for the caller to change. */
    change(id: number): T {
      changed.add(bandOf(id));
      return items[id - 1];
    },
    /** Returns the rows that have changed since the last call. */
    take(): Row[] {
      const rows = [...changed].map((band) => {
        const value = packed(items.slice(band * BAND, (band + 1) * BAND));
        return { at: [kind, band], value, bytes: value.length } satisfies Row;
      });
      changed.clear();
      return rows;
    },
  };
}

/** Maximum number of hosts. The results of further ones count as lost. */
const HOSTS_MAX = 10_000;

/** Collects the hosts of an execution in order of appearance. */
function runHosts() {
  const hosts = bands<HostRow>("hosts");
  const ids = new Map<string, number>();

  /** Returns the host for the caller to change; null if there is no room for it. */
  function at(name: string, time: number): HostRow | null {
    const known = ids.get(name);
    if (known !== undefined) return hosts.change(known);
    if (hosts.size() >= HOSTS_MAX) return null;
    const id = hosts.size() + 1;
    ids.set(name, id);
    return hosts.add({ id, name, ...emptyRecap(), began: time, ended: time, busy_ms: 0 });
  }

  return {
    at,
    idOf: (name: string) => ids.get(name),
    /** Counts an include, which is ok in the recap once for each file. */
    include(names: string[], time: number): void {
      for (const name of names) {
        const host = at(name, time);
        if (host) host.ok++;
      }
    },
    /** Replaces the counts with Ansible's own, which are right even if events were lost. */
    correct(recaps: Map<string, HostRecap>, time: number): void {
      for (const [name, recap] of recaps) Object.assign(at(name, time) ?? {}, recap);
    },
    size: hosts.size,
    rows: hosts.take,
  };
}

const RESULTS_MAX = 20_000;

/**
 * Collects the lines that were printed for results before these arrived, such as those of a loop's
 * items.
 */
export function linesAhead() {
  const ranges = new Map<string, LineRange>();
  const placeOf = ({ uuid, host }: { uuid: string; host: string }) => `${uuid} ${host}`;
  return {
    add(event: Extract<RunEvent, { type: "line" }>): void {
      if (!event.lines) return;
      const place = placeOf(event);
      const { from, to } = event.lines;
      const known = ranges.get(place);
      if (known) known.to = to;
      else if (ranges.size < RESULTS_MAX) ranges.set(place, { from, to });
    },
    /** Returns the first and last line that were printed for a result. */
    linesOf(result: HostResult): LineRange | null {
      const ahead = ranges.get(placeOf(result));
      ranges.delete(placeOf(result));
      if (!ahead) return result.lines;
      return { from: ahead.from, to: result.lines?.to ?? ahead.to };
    },
    clear: () => ranges.clear(),
  };
}
