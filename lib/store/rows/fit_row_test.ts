import assert from "node:assert/strict";
import { fitRow } from "./fit_row.ts";
import { exactBytes } from "../limits.ts";

Deno.test("a row that is too large loses the ends of its longest texts", () => {
  for (const letter of ["a", "é", "漢", "👍", "\\", "\n", "a漢"]) {
    const row = {
      id: 7,
      time: "2026-01-01T00:00:00.000Z",
      none: null,
      long: letter.repeat(50_000),
      facts: Array.from({ length: 30 }, (_, n) => ({ label: `L${n}`, value: letter.repeat(900) })),
    };
    const fitted = fitRow(row, 10_000);
    assert.ok(exactBytes(fitted) <= 10_000, letter);
    assert.ok(exactBytes(fitted) > 2_000, letter);
    assert.deepEqual([fitted.id, fitted.time, fitted.none], [7, row.time, null]);
    assert.equal(fitted.facts[29].label, "L29");
    assert.match(fitted.long, /…$/);
    assert.ok(row.long.startsWith(fitted.long.slice(0, -1)));
  }
});

Deno.test("a row that fits stays the same", () => {
  const row = { text: "漢".repeat(4_000) };
  assert.equal(fitRow(row, 10_000), row);
});
