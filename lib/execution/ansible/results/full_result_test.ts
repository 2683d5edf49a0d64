import assert from "node:assert/strict";
import { plainTree } from "./full_result.ts";

const plain = (text: string | [string]) =>
  typeof text === "string" ? text.replaceAll("secret", "***") : `${text[0]}…`;
const CUT = "_callboard_cut";

Deno.test("texts, names and numbers are masked, and cut ones have their length", () => {
  const sent = {
    "a secret": ["secret", 5, null, true],
    long: { [CUT]: ["begun", 70] },
    list: { [CUT]: [[{ [CUT]: ["inner", 9] }], 30] },
  };
  assert.deepEqual(plainTree(sent, plain, 1_000), {
    value: { "a ***": ["***", 5, null, true], long: "begun…", list: ["inner…"] },
    shortened: [
      { path: ["long"], length: 70 },
      { path: ["list"], length: 30 },
      { path: ["list", 0], length: 9 },
    ],
  });
  assert.deepEqual(plainTree({ n: 1234 }, () => "***", 100)?.value, { "***": "***" });
});

Deno.test("inputs that a run makes up are read only as far as they would be kept", () => {
  let [deep, cuts]: unknown[] = [1, 1];
  for (let n = 0; n < 50_000; n++) [deep, cuts] = [[deep], { [CUT]: [cuts, n] }];
  for (const sent of [{ deep }, { cuts }]) {
    assert.ok(JSON.stringify(plainTree(sent, plain, 10_000)).length < 10_000);
  }
  let looked = 0;
  const wide = Array.from({ length: 100_000 }, () => "x");
  assert.equal(plainTree({ wide }, (text) => (looked++, String(text)), 1_000), null);
  assert.ok(looked <= 1_001, `${looked}`);
  const odd = { a: { [CUT]: "what" }, b: { [CUT]: [1, 2] }, c: { [CUT]: ["x", "y"] } };
  assert.deepEqual(plainTree(odd, plain, 1_000)?.shortened, []);
});
