import assert from "node:assert/strict";
import { ConfigError } from "../config.ts";
import { openStore } from "../kv/open_store.ts";
import { requireSameKey } from "./same_key.ts";
import { createSecretBox } from "./secret_box.ts";

const newBox = () => createSecretBox(crypto.getRandomValues(new Uint8Array(32)));

Deno.test("servers that share a store start with one secret key, and with no other", async () => {
  using kv = await openStore(":memory:");
  const box = await newBox();
  await requireSameKey(kv, box);
  await requireSameKey(kv, box);
  await assert.rejects(async () => requireSameKey(kv, await newBox()), ConfigError);
});
