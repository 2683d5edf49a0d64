import assert from "node:assert/strict";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { createSecretBox } from "../../access/secret_box.ts";
import { migrate } from "../../maintenance/migrations.ts";
import { rowKeys } from "../keys.ts";
import { openStore } from "../file/open_store.ts";
import { watchRows } from "../watch.ts";

const TASK = { id: 1, project_id: 1, status: "success", start: null, template_name: "Deploy" };
const EVENT = {
  created: "2026-01-01T00:00:00.000Z",
  user_id: null,
  object_type: "task",
  object_id: 1,
  object_name: "Deploy",
  action: "running",
  params: { name: "Deploy", id: 1 },
};
const ROWS: [Deno.KvKey, unknown][] = [
  [rowKeys.task(1, 1), TASK],
  [rowKeys.task(1, 2), { ...TASK, of_a_later_version: { text: "kept" } }],
  [rowKeys.event(1, EVENT.created, "a"), EVENT],
  [rowKeys.event(1, EVENT.created, "b"), { ...EVENT, params: { name: "Deploy", id: 1, of: 2 } }],
  [rowKeys.event(1, "2026", "c"), EVENT],
  [rowKeys.taskLogHead(1), { lines: 0, bytes: 0, closed: false }],
  [rowKeys.openTask(1), { id: 1, status: "running" }],
];

Deno.test("rows are read as they were set, however they are stored and by whatever call", async () => {
  const directory = await Deno.makeTempDir({ prefix: "callboard_short_rows_" });
  const path = join(directory, "callboard.kv");
  try {
    const plain = await Deno.openKv(path); // As an earlier version.
    const kv = await openStore(path);
    for (const write of ["old", "set", "commit"]) {
      for (const [key, value] of ROWS) {
        if (write === "old") await plain.set(key, value);
        else if (write === "set") await kv.set(key, value);
        else await kv.atomic().set(key, value).commit();
        assert.deepEqual((await kv.get(key)).value, value, write);
        const [entry, none] = await kv.getMany([key, rowKeys.task(9, 9)]);
        assert.deepEqual([entry.value, none.value], [value, null]);
        const signal = AbortSignal.timeout(10_000);
        for await (const [seen] of watchRows({ kv, log: () => {} }, [key], signal)) {
          assert.deepEqual(seen.value, value);
          break;
        }
      }
      for (const [prefix, count] of [[[], ROWS.length], [rowKeys.events(1), 3]] as const) {
        const listed = await Array.fromAsync(kv.list({ prefix }), ({ key, value }) => [key, value]);
        assert.equal(listed.length, count);
        for (const row of listed) assert.ok(ROWS.some((other) => isDeepStrictEqual(row, other)));
      }
      const names = JSON.stringify((await plain.get(rowKeys.task(1, 1))).value).includes("status");
      assert.equal(names, write === "old");
    }
    plain.close();
    kv.close();
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});

Deno.test("an upgrade deletes the fences of ended logs, and keeps those of open tasks", async () => {
  using kv = await openStore(":memory:");
  for (const id of [1, 2]) await kv.set(rowKeys.taskLogFence(id), 1);
  await kv.set(rowKeys.openTask(2), { id: 2, status: "running" });
  await kv.set(rowKeys.storeVersion(), 13);
  await migrate(kv, await createSecretBox(new Uint8Array(32)));
  const ids = await Array.fromAsync(kv.list({ prefix: ["task_log_fences"] }), ({ key }) => key[1]);
  assert.deepEqual(ids, [2]);
});
