import assert from "node:assert/strict";
import { until } from "@/tests/support/basics/until.ts";
import { onChange, watchRows } from "./watch.ts";
import { openStore } from "./file/open_store.ts";

const ROW = ["wake"];

/** Opens a store whose watches can be broken as a network failure would break them. */
async function openBrokenStore() {
  const kv = await openStore(":memory:");
  const log: string[] = [];
  const watches: { fail(): void; end(): void }[] = [];
  let refuses = false;
  const { watch } = kv;
  kv.watch = (rows: readonly Deno.KvKey[]) => {
    const source = watch.call(kv, rows).getReader();
    return new ReadableStream({
      start(controller) {
        if (refuses) return controller.error(new Error("away"));
        watches.push({
          fail: () => controller.error(new Error("connection reset")),
          end: () => controller.close(),
        });
      },
      async pull(controller) {
        const { done, value } = await source.read();
        try {
          if (!done) controller.enqueue(value);
        } catch {
          // The watch has failed or ended meanwhile.
        }
      },
      cancel: () => source.cancel(),
    }) as never;
  };
  return {
    kv,
    log: (_: string, event: string) => void log.push(event),
    told: log,
    watches,
    refuse: (is: boolean) => refuses = is,
    [Symbol.dispose]: () => kv.close(),
  };
}

for (const how of ["fail", "end"] as const) {
  Deno.test(`a watch that ${how}s is restarted and reports missed changes`, async () => {
    using store = await openBrokenStore();
    const seen: unknown[] = [];
    const watching = onChange<[number]>(store, [ROW], ([{ value }]) => seen.push(value));
    for (let round = 1; round <= 3; round++) {
      await until(() => store.watches.length === round);
      await store.kv.set(ROW, round);
      await until(() => seen.at(-1) === round);
      store.watches.at(-1)![how]();
      await store.kv.set(ROW, round + 0.5);
      await until(() => seen.at(-1) === round + 0.5);
    }
    await watching.cancel();
    assert.deepEqual(store.told, ["watch_lost"]);
  });
}

Deno.test("watches are retried with increasing delays while the store refuses them", async () => {
  using store = await openBrokenStore();
  const closing = new AbortController();
  store.refuse(true);
  const watch = watchRows<[number]>(store, [ROW], closing.signal);
  const first = watch.next();
  await until(() => store.told.length === 1);
  store.refuse(false);
  await store.kv.set(ROW, 7);
  const { value } = await first;
  assert.equal((value as Deno.KvEntryMaybe<number>[])[0].value, 7);
  closing.abort();
  assert.equal((await watch.next()).done, true);
});

Deno.test("waiting for a refused watch ends immediately on abort", async () => {
  using store = await openBrokenStore();
  const closing = new AbortController();
  store.refuse(true);
  const next = watchRows(store, [ROW], closing.signal).next();
  await until(() => store.told.length === 1);
  closing.abort();
  assert.equal((await next).done, true);
});

Deno.test("a watch ends with its store and reports nothing", async () => {
  const kv = await openStore(":memory:");
  const told: string[] = [];
  const log = (_: string, event: string) => void told.push(event);
  const watch = watchRows({ kv, log }, [ROW], new AbortController().signal);
  await watch.next();
  kv.close();
  assert.equal((await watch.next()).done, true);
  assert.deepEqual(told, []);
});
