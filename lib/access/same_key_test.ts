import assert from "node:assert/strict";
import { join } from "node:path";
import { ConfigError } from "../base/settings/settings.ts";
import { openStore } from "../store/file/open_store.ts";
import { acceptKey, openSecretKeys, requireSameKey } from "./same_key.ts";
import { createSecretBox } from "./secret_box.ts";

const newBox = () => createSecretBox(crypto.getRandomValues(new Uint8Array(32)));

Deno.test("a store opens with one secret key and no other", async () => {
  using kv = await openStore(":memory:");
  const box = await newBox();
  await requireSameKey(kv, box);
  await requireSameKey(kv, box);
  await assert.rejects(async () => requireSameKey(kv, await newBox()), ConfigError);
});

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
