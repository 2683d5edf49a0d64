import assert from "node:assert/strict";
import { bearerOf, claimedUserId, hashToken, newBearerToken } from "./bearer_tokens.ts";

Deno.test("a token contains its user's id, and its hash reveals nothing", () => {
  const { text, hash } = newBearerToken(42);
  assert.equal(claimedUserId(text), 42);
  assert.equal(hashToken(text), hash);
  assert.ok(!text.includes(hash.slice(0, 8)));
  assert.notEqual(newBearerToken(42).text, text);
});

Deno.test("a text that is not a token of this server claims no user", () => {
  const random = "A".repeat(43);
  for (
    const text of ["", "x", random, `${random}.`, `${random}.0`, `${random}.1.2`, `${random}.x`]
  ) {
    assert.equal(claimedUserId(text), null, text);
  }
});

Deno.test("only a bearer header holds a token", () => {
  const read = (value: string) => bearerOf(new Headers({ Authorization: value }));
  assert.equal(read("Bearer AbC"), "AbC");
  assert.equal(read("bearer   AbC"), "AbC");
  for (const value of ["Basic AbC", "Bearer", "Bearer a b", "AbC", ""]) {
    assert.equal(read(value), null, value);
  }
});
