import assert from "node:assert/strict";
import { excerptOfText, RANK, rankOf, wantedOf } from "./rank.ts";

Deno.test("a match of the whole text comes before one at its beginning, at a word, and anywhere", () => {
  const rank = (text: string) => rankOf(text, wantedOf("Web"));
  assert.deepEqual(
    ["web", "Website", "my web", "cobweb", "deploy"].map(rank),
    [RANK.exact, RANK.prefix, RANK.word, RANK.inside, null],
  );
  assert.equal(rank("db.web01"), RANK.word);
});

Deno.test("several words are found separately, but all are required", () => {
  const wanted = wantedOf("  shop   deploy ");
  assert.equal(rankOf("Deploy the shop", wanted), RANK.scattered);
  assert.equal(rankOf("the shop deploy", wanted), RANK.word);
  assert.equal(rankOf("Deploy", wanted), null);
});

Deno.test("characters of patterns are matched literally, and an empty query finds nothing", () => {
  for (const text of ["a.b", "(x", "[1-2]", "a\\b", "c++", "$HOME"]) {
    assert.equal(rankOf(`x ${text}`, wantedOf(text)), RANK.word, text);
    assert.equal(rankOf(`x${text}`, wantedOf(text)) !== null, true, text);
  }
  assert.equal(rankOf("axb", wantedOf("a.b")), null);
  for (const nothing of ["", "   "]) assert.equal(rankOf("anything", wantedOf(nothing)), null);
});

Deno.test("the excerpt of a long text has the match", () => {
  const text = "x".repeat(500) + " needle " + "y".repeat(500);
  const excerpt = excerptOfText(text, wantedOf("needle"));
  assert.ok(excerpt.includes(" needle "), excerpt);
  assert.ok(excerpt.length <= 202 && excerpt.startsWith("…") && excerpt.endsWith("…"));
  assert.equal(excerptOfText("short", wantedOf("needle")), "short");
  assert.ok(excerptOfText("😀".repeat(300) + "needle", wantedOf("needle")).isWellFormed());
});
