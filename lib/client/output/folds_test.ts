import assert from "node:assert/strict";
import * as fc from "@/tests/packages/fast_check.ts";
import { foldsOf, rangesOf } from "./folds.ts";

const sectionsAt = (lines: [line: number, depth: number][]) =>
  lines.map(([line, depth]) => ({ line, depth, title: "", failed: 0 }));

Deno.test("a folded task keeps only its own line, and a folded play hides its tasks too", () => {
  const sections = sectionsAt([[2, 0], [4, 1], [8, 1], [12, 0], [13, 1]]);
  const shown = (...closed: number[]) => {
    const { rows, lineOf } = foldsOf(sections, ({ line }) => closed.includes(line), 15);
    return Array.from({ length: rows }, (_, n) => lineOf(n + 1));
  };
  assert.deepEqual(shown(4), [1, 2, 3, 4, 8, 9, 10, 11, 12, 13, 14, 15]);
  assert.deepEqual(shown(4, 8, 13), [1, 2, 3, 4, 8, 12, 13]);
  assert.deepEqual(shown(2, 4), [1, 2, 12, 13, 14, 15]);
  assert.deepEqual(shown(2, 12), [1, 2, 12]);
});

Deno.test("rows and lines map to each other with any folds", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 20 }),
      fc.array(fc.tuple(fc.nat(1), fc.boolean()), { minLength: 20, maxLength: 20 }),
      (lines, looks) => {
        lines.sort((a, b) => a - b);
        const sections = sectionsAt(lines.map((line, n) => [line, looks[n][0]]));
        const closed = new Set(lines.filter((_, n) => looks[n][1]));
        const { rows, rowOf, lineOf, hides } = foldsOf(
          sections,
          ({ line }) => closed.has(line),
          60,
        );
        const shown = Array.from({ length: 60 }, (_, n) => n + 1).filter((line) => !hides(line));
        assert.equal(shown.length, rows);
        assert.deepEqual(shown.map(rowOf), shown.map((_, n) => n + 1));
        assert.deepEqual(shown.map((_, n) => lineOf(n + 1)), shown);
        for (let line = 1; line <= 60; line++) {
          const above = shown.filter((one) => one <= line).length;
          assert.equal(rowOf(line), above, `line ${line}`);
        }
      },
    ),
  );
});

Deno.test("consecutive lines are one range", () => {
  assert.deepEqual(rangesOf([1, 2, 3, 7, 9, 10]), [[1, 3], [7, 7], [9, 10]]);
});
