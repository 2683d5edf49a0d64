import assert from "node:assert/strict";
import { computed, type Signal, signal } from "@preact/signals";
import fc from "fast-check";
import { parse } from "./deserialize.ts";
import { stringify } from "./serialize.ts";

function sent<T>(value: T): T {
  return parse(stringify(value, () => null)) as T;
}

Deno.test("props come out as they went in", () => {
  const props = {
    text: "</script>\u2028",
    numbers: [0, -0, 1.5, NaN, Infinity, -Infinity, 2n ** 70n],
    nothing: [undefined, null, true, false],
    date: new Date(1234567890),
    noDate: new Date(NaN),
    url: new URL("https://example.com/a?b#c"),
    pattern: /a"\/b/giu,
    set: new Set([1, "1", new Date(5)]),
    map: new Map<unknown, unknown>([[{ key: 1 }, [2]], ["x", new Map()]]),
    bytes: new Uint8Array([0, 128, 255]).subarray(1),
    nested: { "": { "a.b": [[], {}] } },
  };
  assert.deepEqual(sent(props), props);
  assert.ok(Object.is(sent([-0])[0], -0));
  assert.ok(Object.is(sent([0, -0])[0], 0));
});

Deno.test("any JSON value comes out as it went in", () => {
  const value = fc.jsonValue({ maxDepth: 4 }).filter((one) => !JSON.stringify(one).includes("__"));
  fc.assert(fc.property(value, (one) => assert.deepEqual(sent(one), one)));
});

Deno.test("holes in arrays stay holes", () => {
  const array = sent([1, , 3]); // deno-lint-ignore no-sparse-arrays
  assert.equal(1 in array, false);
  assert.deepEqual([array[0], array[2], array.length], [1, 3, 3]);
});

Deno.test("what is shared stays shared, and may hold itself", () => {
  const shared = { n: 1 };
  const circle: Record<string, unknown> = { shared, again: [shared] };
  circle.self = circle;
  circle.map = new Map([["circle", circle]]);
  const result = sent(circle);
  assert.equal(result.self, result);
  assert.equal((result.again as unknown[])[0], result.shared);
  assert.equal((result.map as Map<string, unknown>).get("circle"), result);
});

Deno.test("a signal in two places stays one signal; a computed one keeps its value", () => {
  const count = signal(3);
  const props = sent({ a: count, b: count, double: computed(() => count.value * 2) });
  props.a.value = 4;
  assert.equal(props.b.value, 4);
  assert.equal(props.double.value, 6);
  assert.equal((sent(signal([signal(1)])) as Signal<Signal<number>[]>).value[0].value, 1);
});

Deno.test("functions and symbols are refused", () => {
  assert.throws(() => sent({ onClick: () => {} }), /cannot hold a function/);
  assert.throws(() => sent([Symbol("x")]), /cannot hold a symbol/);
});
