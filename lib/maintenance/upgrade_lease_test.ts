import assert from "node:assert/strict";
import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { upgradeAlone } from "./upgrade_lease.ts";
import { openStore } from "../store/file/open_store.ts";

const NOW = new Date("2026-03-01T10:00:00Z");
const clock = { now: () => NOW };

Deno.test("of several servers one upgrades at a time, and each waits for the others", async () => {
  using kv = await openStore(":memory:");
  let [working, waiting] = [0, 0];
  const upgrade = () =>
    upgradeAlone(
      { kv, clock, stop: new AbortController(), onWait: () => void waiting++ },
      async () => {
        assert.equal(++working, 1);
        await new Promise((resolve) => setTimeout(resolve, 20));
        working--;
      },
    );
  await Promise.all([upgrade(), upgrade(), upgrade()]);
  assert.equal(waiting, 2);
  assert.equal((await kv.get(rowKeys.storeUpgrader())).value, null);
});

Deno.test("a server takes over from one that died, and a signal ends the wait", async () => {
  using kv = await openStore(":memory:");
  const hold = (until: number) => kv.set(rowKeys.storeUpgrader(), { owner: "other", until });
  await hold(NOW.getTime());
  let upgraded = false;
  const work = () => Promise.resolve(void (upgraded = true));
  await upgradeAlone({ kv, clock, stop: new AbortController(), onWait: () => {} }, work);
  assert.ok(upgraded);

  await hold(NOW.getTime() + 1);
  const stop = new AbortController();
  const ended = upgradeAlone(
    { kv, clock, stop, onWait: () => stop.abort(new Error("ended")) },
    work,
  );
  await assert.rejects(ended, /ended/);
});

Deno.test("a store that pauses longer than the interval of renewals ends no upgrade", async () => {
  using memory = await openStore(":memory:");
  let pauses = false;
  const pause = () => new Promise((resolve) => setTimeout(resolve, pauses ? 60 : 0));
  const kv = {
    get: async (key: Deno.KvKey) => {
      const entry = await memory.get(key);
      await pause();
      return entry;
    },
    atomic: () => memory.atomic(),
  } as Store;
  const stop = new AbortController();
  await upgradeAlone({ kv, clock, stop, onWait: () => {}, renewMs: 5 }, async () => {
    pauses = true;
    await new Promise((resolve) => setTimeout(resolve, 200));
  });
  assert.equal(stop.signal.aborted, false);
  assert.equal((await memory.get(rowKeys.storeUpgrader())).value, null);
});
