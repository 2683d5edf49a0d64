import assert from "node:assert/strict";
import { whenAborted } from "./time/abort.ts";
import { createBell } from "./bell.ts";
import { merge } from "./merge.ts";

async function* from(...values: string[]): AsyncGenerator<string> {
  yield* values;
}

async function* failing(): AsyncGenerator<string> {
  yield "before";
  throw new Error("away");
}

/** Ends when `signal` aborts, and records that in `said`. */
async function* until(signal: AbortSignal, said: string[]): AsyncGenerator<string> {
  const bell = createBell();
  whenAborted(signal, bell.ring);
  yield "begun";
  await bell.wait();
  said.push("ended");
}

Deno.test("merge yields the values of all sources in the order of each source", async () => {
  const all = await Array.fromAsync(merge([from("1", "2", "3"), from(), from("a", "b")]));
  assert.deepEqual(all.toSorted(), ["1", "2", "3", "a", "b"]);
  assert.deepEqual(all.filter((text) => text < "a"), ["1", "2", "3"]);
});

Deno.test("when one source fails, the others end and the failure is thrown", async () => {
  const ending = new AbortController();
  const said: string[] = [];
  const merged = merge([until(ending.signal, said), failing()], { atEnd: () => ending.abort() });
  await assert.rejects(() => Array.fromAsync(merged), /away/);
  assert.deepEqual(said, ["ended"]);
});

Deno.test("sources pause while no one reads", async () => {
  let made = 0;
  async function* counting() {
    while (true) yield String(++made);
  }
  const merged = merge([counting(), counting()]);
  for (let n = 0; n < 10; n++) await merged.next();
  const before = made;
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(made, before);
  assert.ok(made <= 12);
  await merged.return(undefined);
});
