import assert from "node:assert/strict";
import { endFollowers } from "@/lib/web/server/background.ts";
import { endTask } from "@/lib/queue/ending/end_task.ts";
import { stopTask } from "@/lib/queue/ending/stop.ts";
import { openProject } from "@/lib/access/scope.ts";
import { emptyHead } from "@/lib/output/store.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import type { EndFollower } from "@/lib/access/deps.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import { advance, amendTask } from "@/lib/tasks/steps.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** Followers of the same names that only write a row each. */
const noting = endFollowers.map(({ name, checks }): EndFollower => ({
  name,
  checks,
  add: (op, _deps, { task, isRun }) => void op.set(["noted", name], { id: task.id, isRun }),
}));

async function waiting({ api, web, deploy, kv }: World) {
  const { body } = await api("bob", "POST", `/api/project/${web.id}/tasks`, {
    template_id: deploy.id,
  });
  return await getTaskRow(kv, web.id, body.id);
}

/** Returns the rows of the followers, and requires that the commit of the end has written them. */
async function notedWith({ kv, web }: World, id: number) {
  const { versionstamp } = await kv.get(rowKeys.task(web.id, id));
  const rows = await Array.fromAsync(kv.list({ prefix: ["noted"] }));
  assert.ok(rows.every((row) => row.versionstamp === versionstamp));
  return Object.fromEntries(rows.map(({ key, value }) => [key[1], value]));
}

const namesOf = (followers: readonly EndFollower[]) => followers.map(({ name }) => name);

Deno.test("the commit that ends a task has what each room does after it, and a check only some", async () => {
  assert.equal(new Set(namesOf(endFollowers)).size, 7);
  for (const check of [undefined, true as const]) {
    await using world = await newWorld({ deps: { endFollowers: noting } });
    const task = await waiting(world);
    await amendTask(world.kv, task, { check });
    await advance(world.kv, task, "starting");
    const running = await advance(world.kv, task, "running");
    await endTask(world.deps, running, {
      how: "success",
      log: { head: emptyHead(), close() {} },
    });
    const names = check ? ["drift"] : namesOf(endFollowers);
    const noted = await notedWith(world, task.id);
    assert.deepEqual(
      noted,
      Object.fromEntries(names.map((name) => [name, {
        id: task.id,
        isRun: true,
      }])),
    );
  }
});

Deno.test("rooms learn that a task has ended without having begun", async () => {
  await using world = await newWorld({ deps: { endFollowers: noting } });
  const { id } = await waiting(world);
  const { deps, people, web } = world;
  await stopTask(
    await openProject({ deps, actor: people.bob.actor }, web.id, "run_tasks"),
    id,
    false,
  );
  const noted = await notedWith(world, id);
  assert.deepEqual(Object.keys(noted).toSorted(), namesOf(endFollowers).toSorted());
  assert.deepEqual(noted.hosts, { id, isRun: false });
});
