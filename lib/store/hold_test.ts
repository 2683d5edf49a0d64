import assert from "node:assert/strict";
import { AppError } from "../base/errors.ts";
import { createHold } from "./hold.ts";

const full = () => new AppError(503, "errors.store_full");

/** Creates a hold, and a disk that is full until it has `room`. */
function newStage(limitMs: number) {
  const giveUp = new AbortController();
  const calls: string[] = [];
  const hold = createHold({
    limitMs,
    giveUp: giveUp.signal,
    onFull: () => calls.push("full"),
    onLate: () => calls.push("late"),
  });
  const disk = { room: false, tries: 0 };
  const store = () => {
    disk.tries++;
    return disk.room ? Promise.resolve("stored") : Promise.reject(full());
  };
  return { hold, giveUp, calls, disk, store };
}

Deno.test("a write that a full disk refuses is stored once there is space", async () => {
  const { hold, calls, disk, store } = newStage(60_000);
  setTimeout(() => disk.room = true, 500);
  assert.deepEqual(await Promise.all([hold.write(store), hold.write(store)]), ["stored", "stored"]);
  assert.deepEqual(calls, ["full"]);
  assert.equal(disk.tries, 4);
  assert.equal(hold.late.aborted, false);
});

Deno.test("the run ends at the limit with the reason, and is stored all the same", async () => {
  const { hold, calls, disk, store } = newStage(100);
  const stored = hold.write(store);
  await new Promise((resolve) => hold.late.addEventListener("abort", resolve));
  assert.equal(hold.late.reason.key, "errors.run.disk_full");
  assert.deepEqual(calls, ["full", "late"]);
  disk.room = true;
  assert.equal(await stored, "stored");
});

Deno.test("a server that ends gives up, and other errors are not held", async () => {
  const { hold, giveUp, store } = newStage(60_000);
  const stored = hold.write(store);
  giveUp.abort();
  await assert.rejects(stored, { key: "errors.store_full" });
  const other = newStage(60_000);
  await assert.rejects(other.hold.write(() => Promise.reject(new Error("damaged"))), /damaged/);
  assert.deepEqual(other.calls, []);
});
