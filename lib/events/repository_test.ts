import assert from "node:assert/strict";
import { recordEvent } from "./record.ts";
import { newestEvents, newestEventsOf, type StoredEvent } from "./repository.ts";

const START = Date.parse("2026-03-01T10:00:00Z");

/** Records one event for each pair of project and minute, named after its index. */
async function record(kv: Deno.Kv, events: [projectId: number, minute: number][]) {
  for (const [index, [projectId, minute]] of events.entries()) {
    const op = kv.atomic();
    const clock = { now: () => new Date(START + minute * 60_000) };
    const actor = { kind: "schedule", id: 1, projectId } as const;
    const event = { projectId, object: "key", id: index, name: String(index) } as const;
    recordEvent(op, { clock }, actor, { ...event, action: "created" });
    await op.commit();
  }
}

async function names(events: AsyncIterable<StoredEvent>): Promise<string[]> {
  const read = await Array.fromAsync(events);
  return read.map(({ row }) => row.object_name);
}

Deno.test("events are listed latest first, also within one millisecond", async () => {
  using kv = await Deno.openKv(":memory:");
  await record(kv, [[7, 0], [7, 0], [7, 0], [7, 5], [7, 3]]);
  assert.deepEqual(await names(newestEvents(kv, 7)), ["3", "4", "2", "1", "0"]);
});

Deno.test("an event's id is the cursor for older events, and so is a time", async () => {
  using kv = await Deno.openKv(":memory:");
  await record(kv, [[7, 0], [7, 1], [7, 1], [7, 2]]);
  const [, second] = await Array.fromAsync(newestEvents(kv, 7));
  assert.deepEqual(await names(newestEvents(kv, 7, second.id)), ["1", "0"]);
  assert.deepEqual(await names(newestEvents(kv, 7, "2026-03-01T10:01")), ["0"]);
});

Deno.test("the events of several projects are merged by time, page after page", async () => {
  using kv = await Deno.openKv(":memory:");
  await record(kv, [[1, 0], [2, 1], [1, 2], [3, 3], [2, 4], [9, 5]]);
  const all = await Array.fromAsync(newestEventsOf(kv, [1, 2, 3]));
  assert.deepEqual(all.map(({ row }) => row.object_name), ["4", "3", "2", "1", "0"]);
  assert.deepEqual(await names(newestEventsOf(kv, [1, 2, 3], all[1].id)), ["2", "1", "0"]);
  assert.deepEqual(await names(newestEventsOf(kv, [])), []);
});
