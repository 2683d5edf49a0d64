import assert from "node:assert/strict";
import { conceal } from "../base/secret.ts";
import { abilitiesFor, requireAbilities } from "./portable.ts";

const key = { type: "ssh", login: "root", passphrase: conceal(""), privateKey: conceal("x") };
const planWith = (userKey: object) => ({ repository: { key }, inventory: { userKey } });

Deno.test("a plan with a certificate goes to no runner that would ignore it", () => {
  assert.deepEqual(abilitiesFor(planWith(key)), []);
  const plan = planWith({ ...key, certificate: "ssh-ed25519-cert-v01@openssh.com AAAA" });
  assert.deepEqual(abilitiesFor(plan), ["certificates"]);
  requireAbilities({ name: "new", facts: { abilities: ["certificates"] } }, plan);
  for (const facts of [null, {}, { abilities: ["references"] }]) {
    assert.throws(() => requireAbilities({ name: "old", facts }, plan), /runner_too_old/);
  }
});
