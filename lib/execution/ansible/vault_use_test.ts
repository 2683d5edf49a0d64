import assert from "node:assert/strict";
import { conceal } from "../../base/secret.ts";
import { usesVault } from "./vault_use.ts";

const none = { vaults: [], arguments: [], env: {}, secretEnv: {} };
const config = (...lines: string[]) => ({ folder: "/", lines: ["[defaults]", ...lines] });

Deno.test("a run uses the vault wherever Ansible gets a password for it", () => {
  assert.equal(usesVault(none, null, {}), false);
  assert.equal(usesVault({ ...none, arguments: ["--diff"] }, config("home = x"), {}), false);
  const vaults = [{ name: "default", password: conceal("x") }];
  assert.ok(usesVault({ ...none, vaults }, null, {}));
  for (const word of ["--vault-id=a@b", "--vault-password-file", "--vault-pass-f=x"]) {
    assert.ok(usesVault({ ...none, arguments: [word] }, null, {}), word);
  }
  for (const name of ["ANSIBLE_VAULT_PASSWORD_FILE", "ANSIBLE_VAULT_IDENTITY_LIST"]) {
    assert.ok(usesVault({ ...none, env: { [name]: "x" } }, null, {}));
    assert.ok(usesVault({ ...none, secretEnv: { [name]: conceal("x") } }, null, {}));
    assert.ok(usesVault(none, null, { [name]: "x" }));
  }
  assert.ok(usesVault(none, config("vault_password_file = ~/.pass"), {}));
  assert.ok(usesVault(none, config("Vault_Identity_List: a@b"), {}));
});
