import assert from "node:assert/strict";
import { freeName, NAME_LENGTH_MAX } from "./names.ts";

Deno.test("a name that is taken gets the first free number, within the maximum length", () => {
  assert.equal(freeName("Web shop", new Set(["Lab"])), "Web shop");
  assert.equal(freeName("Web shop", new Set(["Web shop"])), "Web shop (2)");
  assert.equal(freeName("Web shop", new Set(["Web shop", "Web shop (2)"])), "Web shop (3)");
  const long = "x".repeat(NAME_LENGTH_MAX);
  const numbered = freeName(long, new Set([long]));
  assert.equal(numbered.length, NAME_LENGTH_MAX);
  assert.match(numbered, / \(2\)$/);
});
