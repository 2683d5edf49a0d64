import assert from "node:assert/strict";
import { sleep } from "../time/pause.ts";
import { keepWatchdog } from "./service_manager.ts";

function newManager(watchdogMs: number | null) {
  const sent: Record<string, string | number>[] = [];
  const manager = {
    watchdogMs,
    notify: (state: Record<string, string | number>) => void sent.push(state),
    close() {},
  };
  return { manager, sent };
}

Deno.test("the watchdog hears of a process that works, and of none whose store hangs", async () => {
  const { manager, sent } = newManager(20);
  let works: () => Promise<unknown> = () => Promise.resolve();
  const watchdog = keepWatchdog(manager, () => works(), () => "Works.");
  await sleep(100);
  const good = sent.length;
  assert.ok(good >= 3, String(good));
  assert.deepEqual(sent[0], { WATCHDOG: 1, STATUS: "Works." });
  const { promise: never, resolve } = Promise.withResolvers<void>();
  works = () => never;
  await sleep(30);
  const before = sent.length;
  await sleep(100);
  assert.equal(sent.length, before);
  works = () => Promise.reject(new Error("slow"));
  resolve();
  await sleep(50);
  assert.ok(sent.length <= before + 1);
  watchdog.stop();
});

Deno.test("a watchdog receives nothing if the manager has none", async () => {
  const { manager, sent } = newManager(null);
  keepWatchdog(manager, () => Promise.resolve(), () => "").stop();
  await sleep(20);
  assert.deepEqual(sent, []);
});
