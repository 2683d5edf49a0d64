import assert from "node:assert/strict";
import {
  addLines,
  type LoadedRange,
  type LogLines,
  missingPage,
  nextPage,
  PAGE_LINES,
} from "./lines.ts";

const records = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => ({ id: from + n, time: "", output: "" }));

const holding = (...ranges: [number, number][]): LogLines =>
  new Map(ranges.flatMap(([from, to]) => records(from, to)).map((record) => [record.id, record]));

Deno.test("missing lines are requested by the page, next to lines that are held", () => {
  const tail = holding([800, 1_000]);
  assert.equal(missingPage(tail, 850, 1_000), null);
  assert.deepEqual(missingPage(tail, 700, 900), { after: 299, limit: PAGE_LINES }, "up to 799");
  assert.deepEqual(missingPage(tail, 1, 100), { after: 0, limit: PAGE_LINES }, "a jump");
  assert.deepEqual(missingPage(tail, 900, 1_100), { after: 1_000, limit: PAGE_LINES });
  assert.deepEqual(missingPage(holding([1, 5], [9, 20]), 1, 20), { after: 0, limit: PAGE_LINES });
});

Deno.test("requests for missing pages end, and cover every line", () => {
  for (const [from, to] of [[1, 1], [1, 3_000], [700, 1_900], [2_999, 3_000]]) {
    const held = holding([950, 1_010], [1_500, 1_600]);
    let pages = 0;
    for (let page = missingPage(held, from, to); page; page = missingPage(held, from, to)) {
      const { after, limit } = page;
      addLines(held, records(after + 1, Math.min(3_000, after + limit)), [[from, from]]);
      assert.ok(++pages <= 8, `${pages} pages for ${from} to ${to}`);
    }
    for (let line = from; line <= to; line++) assert.ok(held.has(line), `line ${line}`);
  }
});

Deno.test("only the lines around the reader are held, however many arrive", () => {
  const held: LogLines = new Map();
  for (let line = 1; line <= 100_000; line += 100) {
    addLines(held, records(line, line + 99), [[500, 500]]);
  }
  assert.ok(held.size < 4_200, `${held.size} lines`);
  for (let line = 1; line <= 2_000; line++) assert.ok(held.has(line), `line ${line}`);
  for (let line = 1; line <= 100_000; line += 100) {
    addLines(held, records(line, line + 99), [[line, line]]);
  }
  assert.ok(held.size < 4_200 && held.has(100_000), `${held.size} lines`);
});

Deno.test("positions far from each other are all held, and requests end", () => {
  const places: LoadedRange[] = Array.from(
    { length: 60 },
    (_, n) => [n * 9_000 + 1, n * 9_000 + 9],
  );
  const held: LogLines = new Map();
  let pages = 0;
  for (let page = nextPage(held, places); page; page = nextPage(held, places)) {
    addLines(held, records(page.after + 1, page.after + page.limit), places);
    assert.ok(++pages <= 60, "what one place takes is not given to another");
  }
  assert.ok(held.size < 8_000, `${held.size} lines`);
});
