import type { PlayRow, PlayTaskRow } from "./rows.ts";

/** The plays and play tasks of a run, in the order of their ids. */
interface RunOutline {
  plays: PlayRow[];
  tasks: PlayTaskRow[];
}

/** A play task in two runs: each time that they came to it. One of both may have none. */
export type TaskPair = readonly [run: PlayTaskRow[], base: PlayTaskRow[]];

type Rule = (task: PlayTaskRow, play: string) => unknown[];

/** What is the same task: where it stands, and what it is called. Ids of Ansible's are of one run. */
const byPlaceAndName: Rule = (
  { role, path, path_line, name },
  play,
) => [play, role, path, path_line, name];
/** In other versions of the files, lines have moved. */
const byName: Rule = ({ role, path, name }, play) => [play, role, path, name];
/** Of the same files: a name may hold a variable. */
const byPlace: Rule = ({ role, path, path_line }, play) => [play, role, path, path_line];
/** The name of a play may, too. Of a playbook each run begins all plays, whatever hosts they have. */
const byPlaceInPlay: Rule = ({ play, role, path, path_line }) => [play, role, path, path_line];

/**
 * Which play tasks of two runs are the same. Those of one name that no line tells apart are taken in
 * their order. In the order of the run; what only the other one came to is last.
 */
export function matchPlayTasks(
  run: RunOutline,
  base: RunOutline,
  { sameFiles }: { sameFiles: boolean },
): TaskPair[] {
  let left = groups(run);
  // The last first: a pop takes the first.
  let others = groups(base).reverse();
  const pairs: TaskPair[] = [];
  for (
    const rule of sameFiles
      ? [byPlaceAndName, byPlace, byPlaceInPlay, byName]
      : [byPlaceAndName, byName]
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
  /** The first of them, for all. */
  task: PlayTaskRow;
  rows: PlayTaskRow[];
}

/** What one run came to several times is one task. */
function groups({ plays, tasks }: RunOutline): Group[] {
  const playOf = (task: PlayTaskRow) => plays[task.play - 1]?.name ?? "";
  const found = Map.groupBy(tasks, (task) => playTaskKey(task, playOf(task)));
  return [...found.values()].map((rows) => ({ rows, task: rows[0], play: playOf(rows[0]) }));
}

/** What is one play task in all runs of the same files; `play` is the name of its play. */
export const playTaskKey = (task: PlayTaskRow, play = ""): string =>
  keyOf(byPlaceAndName, task, play);

const keyOf = (rule: Rule, task: PlayTaskRow, play: string): string =>
  JSON.stringify(rule(task, play));
