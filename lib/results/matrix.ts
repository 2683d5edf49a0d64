import type { Play, PlayTask } from "./schema.ts";
import { severityOf, worstOf } from "./statuses.ts";

/** A column of the matrix: an Ansible task with its groups. */
export interface MatrixColumn {
  id: number;
  name: string;
  play: string;
  role: string;
}

/** Columns whose worst status has this severity are folded. */
const FOLDED = severityOf("ok");
const rankOf = ({ counts }: PlayTask): number => severityOf(worstOf([counts]) ?? "ok");

export interface MatrixOrder {
  /** Whether to include Ansible tasks without changes and failures. */
  all: boolean;
  /**
   * Whether to sort by execution order. Otherwise plays, their roles and their tasks are sorted
   * worst first.
   */
  asRun: boolean;
}

/** Returns the Ansible tasks as columns, and the number of folded ones. */
export function matrixColumns(
  plays: Play[],
  { all, asRun }: MatrixOrder,
): { columns: MatrixColumn[]; folded: number } {
  const tasks = plays.flatMap((play) => play.tasks);
  const shown = all ? tasks : tasks.filter((task) => rankOf(task) < FOLDED);
  const ordered = asRun ? shown : worstFirst(shown, ({ play_id }) => play_id)
    .flatMap((ofPlay) => worstFirst(ofPlay, ({ role }) => role))
    .flatMap((ofRole) => ofRole.toSorted((a, b) => rankOf(a) - rankOf(b)));
  const names = new Map(plays.map(({ id, name }) => [id, name]));
  const columns = ordered.map(({ id, name, action, role, play_id }) => ({
    id,
    name: name || action,
    role,
    play: names.get(play_id) ?? "",
  }));
  return { columns, folded: tasks.length - shown.length };
}

/**
 * Returns tasks in groups. The group with the worst task comes first, equal ones in execution
 * order.
 */
function worstFirst(tasks: PlayTask[], groupOf: (task: PlayTask) => unknown): PlayTask[][] {
  const groups = [...Map.groupBy(tasks, groupOf).values()]
    .map((group) => ({ group, rank: Math.min(...group.map(rankOf)) }));
  return groups.toSorted((a, b) => a.rank - b.rank).map(({ group }) => group);
}
