import assert from "node:assert/strict";
import { isSecret } from "../../base/secret.ts";
import { readPackageSources } from "./package_sources.ts";

const read = (settings: Record<string, string>) =>
  readPackageSources({ get: (name) => settings[name.slice("CALLBOARD_".length)] });

Deno.test("sources of toolchains are folders and addresses, and no token is in plain text", () => {
  assert.deepEqual(read({}), { wheels: null, collections: null, galaxy: null, keyring: null });
  const { wheels, galaxy } = read({
    WHEELS: "https://me:password@pypi.example.com/simple",
    GALAXY_URL: "https://galaxy.example.com/api/",
    GALAXY_TOKEN: "swordfish",
  });
  assert.ok(isSecret(wheels) && isSecret(galaxy?.token));
  const wrong = [
    ["WHEELS", "wheels"],
    ["COLLECTIONS", "collections"],
    ["GALAXY_KEYRING", "keyring.gpg"],
    ["GALAXY_TOKEN", "swordfish"],
    ["GALAXY_URL", "galaxy.example.com"],
    ["GALAXY_URL", "https://me:password@galaxy.example.com"],
  ];
  for (const [name, value] of wrong) {
    // A token alone lacks the address.
    const named = name.replace("TOKEN", "URL");
    assert.throws(
      () => read({ [name]: value }),
      new RegExp(`^ConfigError: CALLBOARD_${named} must`),
    );
  }
});
