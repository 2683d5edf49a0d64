import assert from "node:assert/strict";
import { join } from "node:path";
import { ConfigError } from "../base/settings/settings.ts";
import { rowKeys } from "../store/keys.ts";
import { openStore } from "../store/file/open_store.ts";
import { acceptKey, openSecretKeys, requireSameKey } from "./same_key.ts";
import { createSecretBox, type SecretBox } from "./secret_box.ts";

const newBox = () => createSecretBox(crypto.getRandomValues(new Uint8Array(32)));

Deno.test("a store opens with one secret key and no other", async () => {
  using kv = await openStore(":memory:");
  const box = await newBox();
  await requireSameKey(kv, box);
  await requireSameKey(kv, box);
  await assert.rejects(async () => requireSameKey(kv, await newBox()), ConfigError);
});

/** Rows as an earlier version without a proof stored them. */
const SEALED: Record<string, (box: SecretBox) => Promise<[Deno.KvKey, unknown]>> = {
  "a key": async (box) => [rowKeys.resource("keys", 1, 1), { secret: await box.seal("word") }],
  "a secret variable": async (box) => [
    rowKeys.resource("environments", 1, 1),
    { secrets: [{ sealed: new Uint8Array() }, { sealed: await box.seal("word") }] },
  ],
};

for (const [what, row] of Object.entries(SEALED)) {
  Deno.test(`the key of an earlier version's store is recognized by ${what}`, async () => {
    using kv = await openStore(":memory:");
    const box = await newBox();
    await kv.set(...await row(box));
    await kv.set(rowKeys.resource("keys", 1, 0), { secret: null });
    await assert.rejects(async () => requireSameKey(kv, await newBox()), /task secret-key accept/);
    await requireSameKey(kv, box);
  });
}

Deno.test("a lost key can be replaced, and its secrets are reported as unreadable", async () => {
  using kv = await openStore(":memory:");
  const [lost, found] = [await newBox(), await newBox()];
  await requireSameKey(kv, lost);
  await acceptKey(kv, found);
  await requireSameKey(kv, found);
  await assert.rejects(requireSameKey(kv, lost), ConfigError);
  await assert.rejects(
    found.open(await lost.seal("word")),
    { name: "AppError", key: "errors.secret_unreadable" },
  );
});

Deno.test("a missing key of a store is not replaced, and a new store gets one", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "callboard_key_" });
  const file = join(dataDir, "secret.key");
  const env = new Map<string, string>();
  try {
    using kv = await openStore(":memory:");
    const { keys } = await openSecretKeys(kv, env, dataDir);
    await Deno.rename(file, `${file}.away`);
    const opened = openSecretKeys(kv, env, dataDir);
    await assert.rejects(opened, ConfigError);
    await assert.rejects(opened, /there is no .*secret\.key.* task secret-key accept/);
    assert.deepEqual([...Deno.readDirSync(dataDir)].map(({ name }) => name), ["secret.key.away"]);
    await Deno.rename(`${file}.away`, file);
    assert.deepEqual((await openSecretKeys(kv, env, dataDir)).keys, keys);
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});
