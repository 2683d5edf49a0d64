import assert from "node:assert/strict";
import { createOutputs } from "./outputs.ts";

Deno.test("names are those of variables", () => {
  const { add } = createOutputs();
  for (const name of ["a", "_", "A_1", "n".repeat(100), "__proto__"]) {
    assert.equal(add(name, ""), null, name);
  }
  for (const name of ["", "1a", "a-b", "é", "a\n", "n".repeat(101), "***"]) {
    assert.equal(add(name, ""), "name", name);
  }
});

Deno.test("values are limited alone, together, and in number, by bytes", () => {
  const { add, values } = createOutputs();
  assert.equal(add("long", "x".repeat(32 * 1024 + 1)), "long");
  assert.equal(add("wide", "é".repeat(16 * 1024 + 1)), "long");
  for (let n = 0; n < 8; n++) assert.equal(add(`full_${n}`, "x".repeat(32 * 1024)), null);
  assert.equal(add("one", "x"), "total");
  for (let n = 8; n < 100; n++) assert.equal(add(`empty_${n}`, ""), null);
  assert.equal(add("more", ""), "many");
  assert.equal(values.size, 100);
});
