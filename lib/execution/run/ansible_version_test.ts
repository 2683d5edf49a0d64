import assert from "node:assert/strict";
import { ansibleVersion } from "./ansible_version.ts";

Deno.test("the version of Ansible is its number alone", () => {
  assert.equal(ansibleVersion("ansible-playbook [core 2.19.14]"), "2.19.14");
  assert.equal(ansibleVersion("ansible-playbook [core 2.20.0b2]"), "2.20.0b2");
  assert.equal(ansibleVersion("ansible-playbook 2.9.27"), "2.9.27");
  assert.equal(ansibleVersion("of my own"), "of my own");
  assert.equal(ansibleVersion(null), "");
});
