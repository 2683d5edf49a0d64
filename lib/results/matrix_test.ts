import assert from "node:assert/strict";
import { matrixColumns } from "./matrix.ts";
import type { Play, PlayTask } from "./schema.ts";

const task = (id: number, play_id: number, role: string, counts: PlayTask["counts"]): PlayTask => ({
  id,
  play_id,
  role,
  counts,
  name: `t${id}`,
  uuid: "",
  action: "",
  path: "",
  path_line: 1,
  handler: false,
  start: "",
  end: "",
  line: null,
  last_line: null,
  unchecked: 0,
  carried_out: 0,
  carried_out_changed: 0,
  slowest: null,
});
const play = (id: number, ...tasks: PlayTask[]): Play => ({
  id,
  name: `p${id}`,
  start: "",
  end: "",
  line: null,
  tasks,
});

const PLAYS = [
  play(
    1,
    task(1, 1, "", { ok: 2 }),
    task(2, 1, "nginx", { ok: 1, changed: 1 }),
    task(3, 1, "", {}),
    task(4, 1, "", { skipped: 2 }),
  ),
  play(
    2,
    task(5, 2, "nginx", { changed: 2 }),
    task(6, 2, "db", { ok: 1, ignored: 1 }),
    task(7, 2, "nginx", { ok: 1, changed: 1 }),
    task(8, 2, "db", { ok: 1, unreachable: 1 }),
  ),
];
const idsOf = (order: Parameters<typeof matrixColumns>[1]) =>
  matrixColumns(PLAYS, order).columns.map(({ id }) => id);

Deno.test("columns without changes and failures are folded and counted", () => {
  const { columns, folded } = matrixColumns(PLAYS, { all: false, asRun: true });
  assert.deepEqual(columns.map(({ id }) => id), [2, 5, 6, 7, 8]);
  assert.equal(folded, 3);
  assert.deepEqual(columns[0], { id: 2, name: "t2", role: "nginx", play: "p1" });
  assert.deepEqual(idsOf({ all: true, asRun: true }), [1, 2, 3, 4, 5, 6, 7, 8]);
});

Deno.test("plays, their roles and their tasks are sorted worst first, and stay together", () => {
  assert.deepEqual(idsOf({ all: false, asRun: false }), [8, 6, 5, 7, 2]);
  assert.deepEqual(idsOf({ all: true, asRun: false }), [8, 6, 5, 7, 2, 1, 3, 4]);
});
