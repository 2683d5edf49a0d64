import assert from "node:assert/strict";
import { explainRule, shownClaims } from "./explain.ts";
import type { GroupRule } from "./schema.ts";

const CLAIMS = {
  groups: ["/ops", "/staff", "cn=Shop,ou=groups,dc=example"],
  realm_access: { roles: ["root"] },
};

Deno.test("each rule says why it matches someone, or which value is closest", () => {
  const outcome = (claim: string, value: string) => {
    const rule: GroupRule = { provider: "", claim, value, gives: "admin", project_id: null };
    const { isMatch, why: { key, params } } = explainRule(rule, CLAIMS);
    return [isMatch, key, params?.like ?? null];
  };
  assert.deepEqual(outcome("groups", "/ops"), [true, "said.has", null]);
  assert.deepEqual(outcome("groups", "ops"), [false, "said.not_equal", "/ops"]);
  assert.deepEqual(outcome("groups", "/stuff"), [false, "said.not_equal", "/staff"]);
  assert.deepEqual(outcome("groups", "shop"), [
    false,
    "said.not_equal",
    "cn=Shop,ou=groups,dc=example",
  ]);
  assert.deepEqual(outcome("groups", "wholly else"), [false, "said.has_not", null]);
  assert.deepEqual(outcome("roles", "root"), [false, "said.no_claim", null]);
  assert.deepEqual(outcome("realm_access.roles", "*"), [true, "said.any", null]);
});

Deno.test("claims are shortened, and those of the token and possible secrets are hidden", () => {
  const shown = shownClaims({
    sub: "1",
    nonce: "n",
    groups: ["a"],
    long: "x".repeat(300),
    api_token: "t",
    odd: "eyJhbGciOi.eyJzdWIiOiIx.c2lnbmVk",
  });
  assert.deepEqual(shown, [
    { name: "sub", text: "1" },
    { name: "groups", text: '["a"]' },
    { name: "long", text: `${"x".repeat(200)}…` },
    { name: "api_token", text: "***" },
    { name: "odd", text: "***" },
  ]);
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`c${n}`, n]));
  assert.equal(shownClaims(many).length, 60);
});
