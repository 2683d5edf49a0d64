import assert from "node:assert/strict";
import { until } from "@/tests/support/basics/until.ts";
import { startLoop } from "./loop.ts";
import { stillLoops } from "./loop_watch.ts";
import { openStore } from "./file/open_store.ts";

const ROW = ["row"];

Deno.test("a loop works when its row is written, when it is woken, and when work is due", async () => {
  using kv = await openStore(":memory:");
  let [steps, idleMs] = [0, Infinity];
  const loop = startLoop({ kv, log: () => {} }, {
    name: "work",
    wokenBy: ROW,
    step: () => Promise.resolve((steps++, idleMs)),
  });
  // The row as it is now wakes it once.
  await until(() => steps === 2);
  await kv.set(ROW, 1);
  await until(() => steps === 3);
  idleMs = 10;
  loop.wake();
  await until(() => steps > 5);
  await loop.stop();
  const stopped = steps;
  await kv.set(ROW, 2);
  loop.wake();
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(steps, stopped);
});

Deno.test("a loop that is woken all the time takes a step at intervals", async () => {
  using kv = await openStore(":memory:");
  const begun: number[] = [];
  const loop = startLoop({ kv, log: () => {} }, {
    name: "work",
    everyMs: 30,
    step: () => Promise.resolve((begun.push(performance.now()), 0)),
  });
  await until(() => begun.length === 4);
  await loop.stop();
  const gaps = begun.slice(1).map((at, n) => at - begun[n]);
  assert.ok(gaps.every((gap) => gap >= 29), String(gaps));
});

Deno.test("a loop continues after a step that failed, and stops within a step", async () => {
  using kv = await openStore(":memory:");
  const log: string[] = [];
  let [begun, aborted] = [false, false];
  const loop = startLoop({ kv, log: (_, event) => void log.push(event) }, {
    name: "work",
    retryMs: 1,
    async step(stop) {
      if (log.length < 2) throw new Error("not yet");
      begun = true;
      await until(() => stop.aborted);
      aborted = true;
      return 0;
    },
  });
  await until(() => begun);
  await loop.stop();
  assert.deepEqual(log, ["work_failed", "work_failed"]);
  assert.ok(aborted);
});

Deno.test("a step that takes longer than its limit stands still, until it ends or continues", async () => {
  using kv = await openStore(":memory:");
  const [first, last] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const names = () => stillLoops(kv).map(({ name }) => name);
  const loop = startLoop({ kv, log: () => {} }, {
    name: "work",
    stepMsMax: 30,
    async step(_stop, goesOn) {
      await first.promise;
      goesOn();
      await last.promise;
      return Infinity;
    },
  });
  assert.deepEqual(names(), []);
  await until(() => names().length > 0);
  const [{ name, ms }] = stillLoops(kv);
  assert.ok(name === "work" && ms > 30 && ms < 60_000, `${name} ${ms}`);
  first.resolve();
  await until(() => names().length === 0);
  await until(() => names().length > 0);
  last.resolve();
  await loop.stop();
  assert.deepEqual(names(), []);
});
