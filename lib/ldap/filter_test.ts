import assert from "node:assert/strict";
import { fillFilter } from "./filter.ts";

Deno.test("what is typed is a value of a filter, and never a part of it", () => {
  assert.equal(fillFilter("(uid=%s)", "ann1"), "(uid=ann1)");
  assert.equal(fillFilter("(|(uid=%s)(mail=%s))", "a"), "(|(uid=a)(mail=a))");
  const cases: [typed: string, escaped: string][] = [
    ["*", "\\2a"],
    ["a)(uid=*", "a\\29\\28uid\\3d\\2a"],
    ["a\\2a", "a\\5c2a"],
    ["a\0b", "a\\00b"],
    ["$&", "\\24\\26"],
    ["é", "\\c3\\a9"],
    ["%s", "\\25s"],
  ];
  for (const [typed, escaped] of cases) {
    assert.equal(fillFilter("(uid=%s)", typed), `(uid=${escaped})`);
  }
});
