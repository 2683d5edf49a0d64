import assert from "node:assert/strict";
import { listNumber, queryNumber } from "../lists/list_query.ts";
import { plainNumber } from "./plain_number.ts";

/** Texts that `Number` takes for 1, and others. */
const ODD = [
  "1e0",
  "0x1",
  "0b1",
  "+1",
  " 1",
  "1 ",
  "1.0",
  "1.",
  "\t1",
  "１",
  "-1",
  "1_0",
  "",
  "一",
];

Deno.test("only plain digits are a number", () => {
  for (const text of [...ODD, null, undefined, "9".repeat(16), "1".repeat(17)]) {
    assert.equal(plainNumber(text), null, String(text));
  }
  assert.deepEqual(["0", "007", "9007199254740991"].map(plainNumber), [0, 7, 9007199254740991]);
});

Deno.test("queries of calls refuse numbers that are not plain digits, and pages ignore them", () => {
  for (const text of ODD.filter((text) => text !== "")) {
    assert.equal(queryNumber().safeParse(text).success, false, text);
    assert.equal(listNumber().parse(text), undefined, text);
  }
  assert.equal(queryNumber().parse("7"), 7);
  assert.equal(queryNumber().parse("9".repeat(19)), Number.MAX_SAFE_INTEGER);
  assert.equal(listNumber().parse("7"), 7);
});
