import assert from "node:assert/strict";
import { rowKeys } from "../store/keys.ts";
import { openStore } from "../store/file/open_store.ts";
import { repairQueueRow } from "./open_tasks.ts";

Deno.test("repairing a row of the queue wakes the dispatchers", async () => {
  using kv = await openStore(":memory:");
  const lost = {
    id: 1,
    project_id: 2,
    template_id: 3,
    status: "waiting",
    created: "",
    lease: null,
  };
  await kv.set(rowKeys.openTask(1), lost);
  await repairQueueRow(kv, lost);
  assert.equal((await kv.get(rowKeys.openTask(1))).value, null);
  assert.notEqual((await kv.get(rowKeys.tasksWake())).versionstamp, null);
});
