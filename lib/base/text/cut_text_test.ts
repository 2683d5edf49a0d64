import assert from "node:assert/strict";
import { cutText } from "./cut_text.ts";

Deno.test("a text is cut to bytes at the end of a character, and only if it is too long", () => {
  assert.equal(cutText("abcdef", 6), "abcdef");
  assert.equal(cutText("abcdefg", 6), "abc…");
  assert.equal(cutText("ääää", 8), "ääää");
  assert.equal(cutText("äääää", 8), "ää…");
  assert.equal(cutText("a👍👍👍", 12), "a👍👍…");
  assert.equal(cutText("👍👍", 7), "👍…");
  assert.equal(cutText("👍👍", 6), "…");
  for (let max = 3; max < 40; max++) {
    const cut = cutText("aä漢👍".repeat(10), max);
    assert.ok(new TextEncoder().encode(cut).length <= max, String(max));
    assert.ok(cut.endsWith("…") && !cut.includes("\ufffd"), cut);
  }
});
