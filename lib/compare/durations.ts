import type { TaskPair } from "../results/match_tasks.ts";
import type { PlayTaskRow } from "../results/rows.ts";
import type { TaskDuration } from "./schema.ts";

/** Minimum difference of durations that is listed, absolute and as a part of the longer one. */
const DIFFERENCE_MS = 1_000;
const DIFFERENCE_PART = 0.1;

/** Returns the Ansible tasks with different durations, largest difference first. */
export const differentDurations = (tasks: TaskPair[]): TaskDuration[] =>
  tasks.filter(([run, base]) => run.length > 0 && base.length > 0)
    .map(([run, base]): TaskDuration => ({
      name: run[0].name,
      role: run[0].role,
      action: run[0].action,
      run: takenBy(run),
      base: takenBy(base),
    }))
    .filter(({ run, base }) => {
      const more = Math.abs(run.ms - base.ms);
      return more >= DIFFERENCE_MS && more >= DIFFERENCE_PART * Math.max(run.ms, base.ms);
    })
    .sort((a, b) => Math.abs(b.run.ms - b.base.ms) - Math.abs(a.run.ms - a.base.ms));

/** Returns the total time of an Ansible task, and its number of hosts. */
const takenBy = (rows: PlayTaskRow[]) => ({
  task: rows[0].id,
  ms: rows.reduce((sum, { began, ended }) => sum + ended - began, 0),
  hosts: Math.max(...rows.map(hostsOf)),
});

const hostsOf = ({ counts }: PlayTaskRow): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
