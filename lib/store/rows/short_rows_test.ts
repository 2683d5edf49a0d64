import assert from "node:assert/strict";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
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
    const plain = await Deno.openKv(path);
    const kv = await openStore(path);
    for (const write of ["set", "commit"]) {
      for (const [key, value] of ROWS) {
        if (write === "set") await kv.set(key, value);
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
      assert.ok(Array.isArray((await plain.get(rowKeys.task(1, 1))).value), write);
    }
    plain.close();
    kv.close();
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});
