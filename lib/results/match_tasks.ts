import type { PlayRow, PlayTaskRow } from "./rows.ts";

/** The plays and Ansible tasks of an execution, in the order of their ids. */
interface RunOutline {
  plays: PlayRow[];
  tasks: PlayTaskRow[];
}

/** An Ansible task in two executions, with each of its rows. One of both may have none. */
export type TaskPair = readonly [run: PlayTaskRow[], base: PlayTaskRow[]];

type Rule = (task: PlayTaskRow, play: string) => unknown[];

/**
 * Key of an Ansible task: its position and its name. Ansible's ids are valid for one execution
 * only.
 */
const byPositionAndName: Rule = (
  { role, path, path_line, name },
  play,
) => [play, role, path, path_line, name];
/** For different versions of the files, in which lines have moved. */
const byName: Rule = ({ role, path, name }, play) => [play, role, path, name];
/** For the same files, because a name may hold a variable. */
const byPosition: Rule = ({ role, path, path_line }, play) => [play, role, path, path_line];
/**
 * The name of a play may hold a variable, too. Every execution of a playbook begins all plays,
 * whatever hosts they have.
 */
const byPositionInPlay: Rule = ({ play, role, path, path_line }) => [play, role, path, path_line];

/**
 * Pairs the Ansible tasks of two executions. Tasks of one name that no line distinguishes are
 * paired in their order. The pairs have the order of the first execution, followed by tasks of the
 * other one only.
 */
export function matchPlayTasks(
  run: RunOutline,
  base: RunOutline,
  { sameFiles }: { sameFiles: boolean },
): TaskPair[] {
  let left = groups(run);
  // Reversed, because `pop` takes the last item.
  let others = groups(base).reverse();
  const pairs: TaskPair[] = [];
  for (
    const rule of sameFiles
      ? [byPositionAndName, byPosition, byPositionInPlay, byName]
      : [byPositionAndName, byName]
  ) {
    const waiting = Map.groupBy(others, ({ task, play }) => keyOf(rule, task, play));
    left = left.filter(({ task, play, rows }) => {
      const twin = waiting.get(keyOf(rule, task, play))?.pop();
      if (twin) pairs.push([rows, twin.rows]);
      return !twin;
    });
    others = [...waiting.values()].flat().sort((a, b) => b.task.id - a.task.id);
  }
  const alone = others.reverse().map(({ rows }): TaskPair => [[], rows]);
  pairs.push(...left.map(({ rows }): TaskPair => [rows, []]));
  return [...pairs.sort(([a], [b]) => a[0].id - b[0].id), ...alone];
}

interface Group {
  play: string;
  /** The first row, which stands for all. */
  task: PlayTaskRow;
  rows: PlayTaskRow[];
}

/** Returns one group for all rows of an Ansible task that was executed several times. */
function groups({ plays, tasks }: RunOutline): Group[] {
  const playOf = (task: PlayTaskRow) => plays[task.play - 1]?.name ?? "";
  const found = Map.groupBy(tasks, (task) => playTaskKey(task, playOf(task)));
  return [...found.values()].map((rows) => ({ rows, task: rows[0], play: playOf(rows[0]) }));
}

/**
 * Returns the key of an Ansible task in all executions of the same files; `play` is the name of its
 * play.
 */
export const playTaskKey = (task: PlayTaskRow, play = ""): string =>
  keyOf(byPositionAndName, task, play);

const keyOf = (rule: Rule, task: PlayTaskRow, play: string): string =>
  JSON.stringify(rule(task, play));
