import assert from "node:assert/strict";
import { recordEvent } from "./record.ts";
import { SEES_ALL } from "../access/sight.ts";
import { newestSeenOf } from "./seen.ts";
import { newestEvents, type StoredEvent } from "./repository.ts";
import type { Store } from "../store/store.ts";
import { openStore } from "../store/file/open_store.ts";

const START = Date.parse("2026-03-01T10:00:00Z");

/** Records one event for each pair of project and minute, named after its index. */
async function record(kv: Store, events: [projectId: number, minute: number][]) {
  for (const [index, [projectId, minute]] of events.entries()) {
    const op = kv.atomic();
    const clock = { now: () => new Date(START + minute * 60_000) };
    const actor = { kind: "schedule", id: 1, projectId } as const;
    const event = { projectId, object: "key", id: index, name: String(index) } as const;
    recordEvent(op, { kv, clock }, actor, { ...event, action: "created" });
    await op.commit();
  }
}

async function names(events: AsyncIterable<StoredEvent>): Promise<string[]> {
  const read = await Array.fromAsync(events);
  return read.map(({ row }) => row.object_name);
}

Deno.test("events are listed latest first, also within one millisecond", async () => {
  using kv = await openStore(":memory:");
  await record(kv, [[7, 0], [7, 0], [7, 0], [7, 5], [7, 3]]);
  assert.deepEqual(await names(newestEvents(kv, 7)), ["3", "4", "2", "1", "0"]);
});

Deno.test("an event's id is the cursor for older events, and so is a time", async () => {
  using kv = await openStore(":memory:");
  await record(kv, [[7, 0], [7, 1], [7, 1], [7, 2]]);
  const [, second] = await Array.fromAsync(newestEvents(kv, 7));
  assert.deepEqual(await names(newestEvents(kv, 7, { before: second.id })), ["1", "0"]);
  assert.deepEqual(await names(newestEvents(kv, 7, { before: "2026-03-01T10:01" })), ["0"]);
});

Deno.test("the events of several projects are merged by time, page after page", async () => {
  using kv = await openStore(":memory:");
  await record(kv, [[1, 0], [2, 1], [1, 2], [3, 3], [2, 4], [9, 5]]);
  const sights = new Map([1, 2, 3].map((id) => [id, SEES_ALL]));
  const all = await Array.fromAsync(newestSeenOf(kv, sights));
  assert.deepEqual(all.map(({ row }) => row.object_name), ["4", "3", "2", "1", "0"]);
  assert.deepEqual(await names(newestSeenOf(kv, sights, { before: all[1].id })), [
    "2",
    "1",
    "0",
  ]);
  assert.deepEqual(await names(newestSeenOf(kv, new Map())), []);
});

Deno.test("a range of times includes both ends, and ends before an event", async () => {
  using kv = await openStore(":memory:");
  await record(kv, [[7, 0], [7, 1], [7, 2], [7, 3]]);
  const at = (minute: number) => new Date(START + minute * 60_000).toISOString();
  const read = (range: Parameters<typeof newestEvents>[2]) => names(newestEvents(kv, 7, range));
  assert.deepEqual(await read({ from: at(1), to: at(2) }), ["2", "1"]);
  assert.deepEqual(await read({ from: at(2) }), ["3", "2"]);
  assert.deepEqual(await read({ from: at(1), to: at(3), before: at(2) }), ["1"]);
  assert.deepEqual(await read({ from: at(3), to: at(1) }), []);
});
