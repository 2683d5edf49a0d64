import assert from "node:assert/strict";
import { END, follow } from "./follow.ts";

/** Yields once at first and then for each change, as all sources of changes do. */
async function* changesOf(count: number, onEnd = () => {}): AsyncGenerator<number> {
  try {
    for (let n = 0; n <= count; n++) yield n;
  } finally {
    onEnd();
  }
}

async function* news(...values: string[]): AsyncGenerator<string | typeof END> {
  for (const value of values) yield value === "end" ? END : value;
}

const { signal } = new AbortController();

Deno.test("all new data is reported, from the start on", async () => {
  const told = follow({ changes: changesOf(2), read: (n) => news(`${n}a`, `${n}b`) }, signal);
  assert.deepEqual(await Array.fromAsync(told), ["0a", "0b", "1a", "1b", "2a", "2b"]);
});

Deno.test("the changes are left at the end, and when the reader leaves", async () => {
  let ends = 0;
  const changes = () => changesOf(Infinity, () => ends++);
  const untilEnd = follow({ changes: changes(), read: () => news("last", "end", "never") }, signal);
  assert.deepEqual(await Array.fromAsync(untilEnd), ["last"]);
  assert.equal(ends, 1);
  for await (const _ of follow({ changes: changes(), read: () => news("a") }, signal)) break;
  assert.equal(ends, 2);
});

Deno.test("someone who may not see the data any more receives nothing more", async () => {
  let asked = 0;
  const told = follow({
    changes: changesOf(Infinity),
    maySee: () => Promise.resolve(++asked < 3),
    read: () => news("a"),
  }, signal);
  assert.deepEqual(await Array.fromAsync(told), ["a", "a"]);
});

Deno.test("a reader who has left receives nothing more, and a pause ends", async () => {
  const leaving = new AbortController();
  const told = follow({
    changes: changesOf(1),
    read: () => news("a"),
    pauseMs: 60_000,
  }, leaving.signal);
  assert.equal((await told.next()).value, "a");
  const next = told.next();
  leaving.abort();
  assert.equal((await next).done, true);
});
