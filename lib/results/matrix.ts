import type { Play, PlayTask } from "./schema.ts";

/** A column of the matrix: a play task, and what it is grouped by. */
export interface MatrixColumn {
  id: number;
  name: string;
  play: string;
  role: string;
}

/** How much a column has to tell; those of the last rank are folded. */
const RANKS: (keyof PlayTask["counts"])[][] = [
  ["failed", "unreachable"],
  ["ignored", "rescued"],
  ["changed"],
];
const rankOf = ({ counts }: PlayTask): number => {
  const rank = RANKS.findIndex((statuses) => statuses.some((status) => counts[status]));
  return rank < 0 ? RANKS.length : rank;
};

export interface MatrixOrder {
  /** Also those where nothing was changed and nothing failed. */
  all: boolean;
  /** As they were run; else plays, roles in them and tasks in those with the worst first. */
  asRun: boolean;
}

/** The play tasks of a run as columns, and how many are left out. */
export function matrixColumns(
  plays: Play[],
  { all, asRun }: MatrixOrder,
): { columns: MatrixColumn[]; folded: number } {
  const tasks = plays.flatMap((play) => play.tasks);
  const shown = all ? tasks : tasks.filter((task) => rankOf(task) < RANKS.length);
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

/** Tasks in groups, that with the worst task first, and else in the order of the run. */
function worstFirst(tasks: PlayTask[], groupOf: (task: PlayTask) => unknown): PlayTask[][] {
  const groups = [...Map.groupBy(tasks, groupOf).values()]
    .map((group) => ({ group, rank: Math.min(...group.map(rankOf)) }));
  return groups.toSorted((a, b) => a.rank - b.rank).map(({ group }) => group);
}
