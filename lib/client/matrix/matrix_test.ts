import assert from "node:assert/strict";
import { effect } from "@preact/signals-core";
import type { MatrixData } from "./data.ts";
import { CELL_PX, createMatrix } from "./matrix.ts";

const matrixOf = (hosts: number, columns: number): MatrixData => ({
  hosts: Array.from({ length: hosts }, (_, id) => ({ id, name: `host ${id}` })),
  columns: Array.from(
    { length: columns },
    (_, id) => ({ id, name: `task ${id}`, play: "all", role: "" }),
  ),
  states: Array.from({ length: hosts }, () => ".".repeat(columns)),
  total: { hosts, columns },
  before: { hosts: 0, columns: 0 },
  host: "",
  result: "",
});

const frameAt = (row: number, column: number) => ({
  scrollTop: row * CELL_PX,
  scrollLeft: column * CELL_PX,
  clientHeight: 20 * CELL_PX,
  clientWidth: 40 * CELL_PX,
});

Deno.test("a matrix renders all of its start, and then what its frame shows", () => {
  const matrix = createMatrix(matrixOf(50, 40));
  const spans = () => [matrix.rows.value, matrix.columns.value];
  assert.deepEqual(spans(), [[0, 50], [0, 40]], "what the server renders");
  matrix.read(JSON.stringify(matrixOf(300, 60)), frameAt(0, 0));
  assert.deepEqual(spans(), [[0, 24], [0, 44]]);
  matrix.look(frameAt(102, 10));
  assert.deepEqual(spans(), [[96, 128], [4, 56]]);
  matrix.look(frameAt(280, 20));
  assert.deepEqual(spans(), [[276, 300], [16, 60]]);
  matrix.read(JSON.stringify(matrixOf(30, 60)), frameAt(280, 20));
  assert.deepEqual(spans(), [[4, 30], [16, 60]], "the frame is still scrolled to former rows");
});

Deno.test("a matrix that is scrolled down leaves its columns alone, and small steps leave all", () => {
  const matrix = createMatrix(matrixOf(300, 60));
  matrix.read("", frameAt(100, 4));
  const changes = { rows: -1, columns: -1 };
  effect(() => void (matrix.rows.value, changes.rows++));
  effect(() => void (matrix.columns.value, changes.columns++));
  for (const row of [100, 101, 103]) matrix.look(frameAt(row, 4));
  assert.deepEqual(changes, { rows: 1, columns: 0 });
  matrix.look(frameAt(103, 6));
  matrix.look(frameAt(103, 8));
  assert.deepEqual(changes, { rows: 1, columns: 2 });
});
