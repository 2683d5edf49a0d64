import assert from "node:assert/strict";
import { newWorld, type World } from "@/tests/support/world/world.ts";
import { readPin } from "../../tasks/pin_store.ts";
import { getTaskRow } from "../../model/tasks.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { advance } from "../../tasks/steps.ts";
import { pinOf } from "./pins.ts";

async function startTask({ api, kv, web, deploy }: World): Promise<TaskRow> {
  const task = { template_id: deploy.id };
  const { body } = await api("bob", "POST", `/api/project/${web.id}/tasks`, task);
  return await getTaskRow(kv, web.id, body.id);
}

Deno.test("the inputs of a preview are stored once, and never for a task that has ended", async () => {
  await using world = await newWorld();
  const { deps, kv } = world;
  const task = await startTask(world);
  const pin = await pinOf(deps, task);
  assert.deepEqual(await readPin(kv, task.id), pin);
  assert.deepEqual(await pinOf(deps, task), pin);

  const late = await startTask(world);
  await advance(kv, late, "stopped");
  await assert.rejects(() => pinOf(deps, late), { status: 409 });
  assert.equal(await readPin(kv, late.id), null);
});
