import assert from "node:assert/strict";
import { isTooDeep, JSON_DEPTH_MAX, parseExact, withPlainNumbers } from "./exact_json.ts";

Deno.test("JSON is the same after it was parsed, also with numbers that JavaScript changes", () => {
  const numbers = ["0", "-0", "0.0", "1.0", "-1.50", "1E5", "5e-324", "0.0000001", "0.1000"];
  const long = ["1e400", "9007199254740993", "123456789.123456789", "-".padEnd(400, "7")];
  for (const number of [...numbers, ...long]) {
    for (const text of [number, `[${number}]`, `{"a":[1,{"b":${number}},"${number}"]}`]) {
      assert.equal(JSON.stringify(parseExact(text)), text);
      assert.equal(JSON.stringify(parseExact(` ${text.replaceAll(/(?<=[:,])/g, "\t\n ")} `)), text);
    }
  }
  assert.equal(
    JSON.stringify(parseExact('{"a":1,"a":2.0,"__proto__":3.0}')),
    '{"a":2.0,"__proto__":3.0}',
  );
});

Deno.test("numbers that JavaScript writes in the same way are its own", () => {
  const own = '[0,1,-7,1.5,0.30000000000000004,1e-7,1e+21,"1.0",{"a":9007199254740991}]';
  assert.deepEqual(parseExact(own), JSON.parse(own));
  assert.deepEqual(withPlainNumbers(parseExact('{"a":[1.0,-0]}')), { a: [1, -0] });
});

Deno.test("invalid JSON is refused", () => {
  for (
    const text of ["", "01.0", "1.", ".0", "-", "NaN", "Infinity", "[1.0,]", "1.0 x", "\ufeff1.0"]
  ) {
    assert.throws(() => parseExact(text), SyntaxError, text);
  }
});

Deno.test("levels of lists and objects are counted", () => {
  const nested = (depth: number) => parseExact('{"a":['.repeat(depth / 2) + "]}".repeat(depth / 2));
  assert.equal(isTooDeep(nested(JSON_DEPTH_MAX)), false);
  assert.equal(isTooDeep(nested(JSON_DEPTH_MAX + 2)), true);
  assert.equal(isTooDeep(nested(200_000)), true);
  assert.equal(isTooDeep(parseExact("1.0")), false);
});
