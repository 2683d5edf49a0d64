import assert from "node:assert/strict";
import { conceal, referTo } from "../base/secret.ts";
import { abilitiesFor, requireAbilities } from "./portable.ts";
import { RUNNER_ABILITIES } from "./protocol.ts";

const key = { type: "ssh", login: "root", passphrase: conceal(""), privateKey: conceal("x") };
const planWith = (userKey: object) => ({ repository: { key }, inventory: { userKey } });
const plain = planWith(key);

/** Plans with a part that a runner without the ability would ignore. */
const PLANS: Record<string, object> = {
  references: planWith({ ...key, passphrase: referTo({ kind: "env" }) }),
  certificates: planWith({ ...key, certificate: "ssh-ed25519-cert-v01@openssh.com AAAA" }),
  ssh_keys: { ...plain, inventory: { userKey: key, sshKeys: [key, key] } },
  toolchains: { ...plain, toolchain: { name: "Old" } },
  hosts: { ...plain, hosts: ["web1"] },
  authorities: {
    ...plain,
    repository: { key, hostAuthorities: ["@cert-authority * ssh-ed25519"] },
  },
  images: { ...plain, toolchain: { name: "Boxed", kind: "image" } },
  galaxy: { ...plain, toolchain: { name: "Private", galaxy: { url: "https://example.com/" } } },
  working_directory: { ...plain, workingDirectory: "ansible" },
  requirements: { ...plain, requirements: { generation: "two" } },
};

Deno.test("a plan goes to no runner that would ignore a part of it", () => {
  assert.deepEqual(Object.keys(PLANS), [...RUNNER_ABILITIES]);
  const rest = { hostAuthorities: [] };
  assert.deepEqual(abilitiesFor({ ...plain, repository: { key, ...rest } }), []);
  for (const [ability, plan] of Object.entries(PLANS)) {
    assert.deepEqual(abilitiesFor(plan), [ability]);
    requireAbilities({ name: "new", facts: { abilities: [ability] } }, plan);
    const others = RUNNER_ABILITIES.filter((other) => other !== ability);
    for (const facts of [null, { abilities: others }]) {
      assert.throws(() => requireAbilities({ name: "old", facts }, plan), /runner_too_old/);
    }
  }
});
