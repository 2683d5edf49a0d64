import assert from "node:assert/strict";
import { ConfigError } from "../base/settings.ts";
import { rowKeys } from "../kv/keys.ts";
import { openStore } from "../kv/open_store.ts";
import { acceptKey, requireSameKey } from "./same_key.ts";
import { createSecretBox, type SecretBox } from "./secret_box.ts";

const newBox = () => createSecretBox(crypto.getRandomValues(new Uint8Array(32)));

Deno.test("a store is opened with one secret key, and with no other", async () => {
  using kv = await openStore(":memory:");
  const box = await newBox();
  await requireSameKey(kv, box);
  await requireSameKey(kv, box);
  await assert.rejects(async () => requireSameKey(kv, await newBox()), ConfigError);
});

/** Rows as a version that kept no proof has left them. */
const SEALED: Record<string, (box: SecretBox) => Promise<[Deno.KvKey, unknown]>> = {
  "a key": async (box) => [rowKeys.resource("keys", 1, 1), { secret: await box.seal("word") }],
  "a secret variable": async (box) => [
    rowKeys.resource("environments", 1, 1),
    { secrets: [{ sealed: new Uint8Array() }, { sealed: await box.seal("word") }] },
  ],
};

for (const [what, row] of Object.entries(SEALED)) {
  Deno.test(`a store of an earlier version is known by ${what}`, async () => {
    using kv = await openStore(":memory:");
    const box = await newBox();
    await kv.set(...await row(box));
    await kv.set(rowKeys.resource("keys", 1, 0), { secret: null });
    await assert.rejects(async () => requireSameKey(kv, await newBox()), /task secret-key accept/);
    await requireSameKey(kv, box);
  });
}

Deno.test("who has lost the key goes on with another, and is told what cannot be read", async () => {
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
