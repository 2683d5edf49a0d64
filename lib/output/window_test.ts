import assert from "node:assert/strict";
import * as fc from "@/tests/packages/fast_check.ts";
import { type LogWindow, logWindow, newerFrom, olderFrom, WINDOW_LINES } from "./window.ts";

const head = (lines: number, closed = true) => ({ lines, closed });

Deno.test("the latest lines are shown by default, and past the end", () => {
  const newest = { from: 998_001, to: 1_000_000, lines: 1_000_000, closed: true, follows: false };
  assert.deepEqual(logWindow(null, head(1_000_000)), newest);
  assert.deepEqual(logWindow(1_000_001, head(1_000_000)), newest);
  assert.deepEqual(logWindow(null, head(0)), {
    from: 1,
    to: 0,
    lines: 0,
    closed: true,
    follows: false,
  });
});

Deno.test("only a window at the end of an open log follows it, also one that is still empty", () => {
  assert.equal(logWindow(1, head(WINDOW_LINES, false)).follows, true);
  assert.equal(logWindow(1, head(WINDOW_LINES + 1, false)).follows, false);
  assert.deepEqual(logWindow(5_001, head(5_000, false)), {
    from: 5_001,
    to: 5_000,
    lines: 5_000,
    closed: false,
    follows: true,
  });
});

Deno.test("the links to older and newer lines reach every line", () => {
  fc.assert(fc.property(fc.nat(50_000), fc.nat(60_000), fc.boolean(), (lines, wanted, closed) => {
    const begin = logWindow(wanted || null, head(lines, closed));
    let window: LogWindow = begin;
    for (let to = olderFrom(window); to !== null; to = olderFrom(window)) {
      const older = logWindow(to, head(lines, closed));
      assert.ok(older.from < window.from && older.to >= window.from - 1);
      window = older;
    }
    assert.equal(window.from, 1);
    window = begin;
    for (let from = newerFrom(window); from !== null; from = newerFrom(window)) {
      const newer = logWindow(from, head(lines, closed));
      assert.equal(newer.from, window.to + 1);
      window = newer;
    }
    assert.equal(window.to, lines);
  }));
});
