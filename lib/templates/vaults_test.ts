import assert from "node:assert/strict";
import { chooseVaults } from "./vaults.ts";

const vault = (vault_key_id: number | null, name: string | null = null) => ({ vault_key_id, name });
const stored = [vault(1, "prod"), vault(2)];

Deno.test("a new template has the vaults of either form of request", () => {
  assert.deepEqual(chooseVaults({ vault_key_id: 5 }, []), [vault(5)]);
  assert.deepEqual(chooseVaults({ vaults: [], vault_key_id: 5 }, []), [vault(5)]);
  assert.deepEqual(chooseVaults({ vaults: [vault(7, "x")], vault_key_id: null }, []), [
    vault(7, "x"),
  ]);
  assert.deepEqual(chooseVaults({ vaults: null, vault_key_id: null }, []), []);
});

Deno.test("vaults that are sent back unchanged stay unchanged", () => {
  assert.deepEqual(chooseVaults({ vaults: stored, vault_key_id: 1 }, stored), stored);
});

Deno.test("an older client changes or removes only the first vault", () => {
  assert.deepEqual(chooseVaults({ vaults: stored, vault_key_id: 9 }, stored), [
    vault(9, "prod"),
    vault(2),
  ]);
  assert.deepEqual(chooseVaults({ vaults: stored, vault_key_id: null }, stored), [vault(2)]);
  assert.deepEqual(chooseVaults({ vault_key_id: 9 }, stored), [vault(9, "prod"), vault(2)]);
  assert.deepEqual(chooseVaults({ vault_key_id: null }, stored), [vault(2)]);
  assert.deepEqual(chooseVaults({ vault_key_id: null }, [vault(2)]), []);
});

Deno.test("an older client that sees no key keeps a vault that is only a name", () => {
  const named = [vault(null, "database"), vault(2)];
  assert.deepEqual(chooseVaults({ vault_key_id: null }, named), named);
  assert.deepEqual(chooseVaults({ vault_key_id: 9 }, named), [vault(9, "database"), vault(2)]);
});

Deno.test("a client that sends neither means none", () => {
  assert.deepEqual(chooseVaults({}, stored), []);
  assert.deepEqual(chooseVaults({ vaults: null }, stored), []);
});

Deno.test("a newer client that sends back an old vault_key_id means its vaults", () => {
  assert.deepEqual(chooseVaults({ vaults: [vault(3)], vault_key_id: 1 }, stored), [vault(3)]);
  assert.deepEqual(chooseVaults({ vaults: [], vault_key_id: 1 }, stored), []);
});
