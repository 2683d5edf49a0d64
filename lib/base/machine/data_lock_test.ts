import assert from "node:assert/strict";
import { lockDataFolder } from "./data_lock.ts";

Deno.test("a second server on the same data folder is refused until the first one exits", async () => {
  const dataDir = await Deno.makeTempDir();
  const first = await lockDataFolder(dataDir);
  const second = lockDataFolder(dataDir, 50);
  await assert.rejects(second, /Another Callboard already serves the data folder/);
  const waiting = lockDataFolder(dataDir, 5_000);
  first.close();
  (await waiting).close();
  await Deno.remove(dataDir, { recursive: true });
});
