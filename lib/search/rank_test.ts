import assert from "node:assert/strict";
import { excerptOf, RANK, rankOf, wantedOf } from "./rank.ts";

Deno.test("the whole text comes before its beginning, a word's beginning, and any place in it", () => {
  const rank = (text: string) => rankOf(text, wantedOf("Web"));
  assert.deepEqual(
    ["web", "Website", "my web", "cobweb", "deploy"].map(rank),
    [RANK.exact, RANK.prefix, RANK.word, RANK.inside, null],
  );
  assert.equal(rank("db.web01"), RANK.word);
});

Deno.test("several words are found apart from each other, but all of them", () => {
  const wanted = wantedOf("  shop   deploy ");
  assert.equal(rankOf("Deploy the shop", wanted), RANK.scattered);
  assert.equal(rankOf("the shop deploy", wanted), RANK.word);
  assert.equal(rankOf("Deploy", wanted), null);
});

Deno.test("what means something in a pattern is looked for as it stands, and nothing finds nothing", () => {
  for (const text of ["a.b", "(x", "[1-2]", "a\\b", "c++", "$HOME"]) {
    assert.equal(rankOf(`x ${text}`, wantedOf(text)), RANK.word, text);
    assert.equal(rankOf(`x${text}`, wantedOf(text)) !== null, true, text);
  }
  assert.equal(rankOf("axb", wantedOf("a.b")), null);
  for (const nothing of ["", "   "]) assert.equal(rankOf("anything", wantedOf(nothing)), null);
});

Deno.test("of a long text the part is shown that has what was looked for", () => {
  const text = "x".repeat(500) + " needle " + "y".repeat(500);
  const excerpt = excerptOf(text, wantedOf("needle"));
  assert.ok(excerpt.includes(" needle "), excerpt);
  assert.ok(excerpt.length <= 202 && excerpt.startsWith("…") && excerpt.endsWith("…"));
  assert.equal(excerptOf("short", wantedOf("needle")), "short");
  assert.ok(excerptOf("😀".repeat(300) + "needle", wantedOf("needle")).isWellFormed());
});
