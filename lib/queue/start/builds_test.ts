import assert from "node:assert/strict";
import { isLaterVersion, nextVersion } from "./builds.ts";

const CASES: [start: string, last: string | null, next: string][] = [
  ["1.0.0", null, "1.0.0"],
  ["1.0.0", "1.0.0", "1.0.1"],
  ["1.4.8", "1.4.9", "1.4.10"],
  ["v2-rc", "v7-rc", "v8-rc"],
  ["r007", "r009", "r010"],
  ["r007", "r999", "r1000"],
  ["1.5.0", "1.4.9", "1.5.0"],
  ["1.4.20", "1.4.9", "1.4.20"],
  ["nightly", "nightly", "nightly"],
  ["1.0", "99999999999999999999.0", "1.0"],
  ["9", "99999999999999999999", "100000000000000000000"],
];

for (const [start, last, next] of CASES) {
  Deno.test(`the version after ${last ?? "nothing"}, starting with ${start}, is ${next}`, () => {
    assert.equal(nextVersion(start, last), next);
  });
}

Deno.test("versions of their start version's shape are compared by number", () => {
  const later = ["1.0.10", "1.0.9", "v1.0.1"].map((last) =>
    isLaterVersion("1.0.0", "1.0.10", last)
  );
  assert.deepEqual(later, [false, true, true]);
  assert.equal(isLaterVersion("1.0.0", "1.0.0", null), true);
  for (const other of ["1.1", "nightly", ""]) assert.ok(!isLaterVersion("1.0.0", other, null));
  assert.ok(!isLaterVersion("nightly", "nightly", null));
});
