import { openProject } from "@/lib/access/scope.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Deps } from "@/lib/access/deps.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { openStore } from "@/lib/store/file/open_store.ts";
import type { Store } from "@/lib/store/store.ts";
import { listTaskRows } from "@/lib/tasks/repository.ts";
import { advance } from "@/lib/tasks/steps.ts";
import { removeTask } from "@/lib/maintenance/tasks.ts";
import type { TaskRow } from "@/lib/model/task_row.ts";
import { startTask } from "@/lib/queue/start/start.ts";
import { parseStart } from "@/lib/tasks/start_form.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const newestIds = async ({ kv, web, deploy }: World) => {
  const [newest] = await listTaskRows(kv, web.id, { limit: 1 });
  const { value } = await kv.get<TaskRow>(rowKeys.lastTask(web.id, deploy.id));
  return { stored: newest?.id, kept: value?.id };
};

/**
 * Slows a server down between creating a task's id and its commit, so that later tasks overtake it.
 */
function delayStarts(kv: Store) {
  const get = kv.get.bind(kv);
  kv.get = async (key, options) => {
    const entry = await get(key, options);
    const isStart = key[0] === "templates";
    if (isStart) await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
    return entry as never;
  };
}

Deno.test("the latest of tasks that start in parallel is a template's last one, on any server", async () => {
  const home = await Deno.makeTempDir({ prefix: "callboard_race_" });
  try {
    const kvPath = join(home, "callboard.kv");
    await using world = await newWorld({ kvPath });
    using kv = await openStore(kvPath);
    delayStarts(kv);
    const { deps, people, web, deploy } = world;
    for (let turn = 0; turn < 20; turn++) {
      const starts = [deps, { ...deps, kv }, deps].map(async (server: Deps) =>
        startTask(
          await openProject({ deps: server, actor: people.bob.actor }, web.id, "run_tasks"),
          parseStart({ template_id: deploy.id }),
        )
      );
      await Promise.all(starts);
      const { stored, kept } = await newestIds(world);
      assert.equal(kept, stored, `turn ${turn}`);
    }
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});

Deno.test("hundreds of parallel starts of one template all succeed", async () => {
  await using world = await newWorld();
  const { deps, people, web, deploy } = world;
  const started = await Promise.all(
    Array.from(
      { length: 300 },
      async () =>
        startTask(
          await openProject({ deps, actor: people.bob.actor }, web.id, "run_tasks"),
          parseStart({
            template_id: deploy.id,
          }),
        ),
    ),
  );
  assert.equal(new Set(started.map(({ id }) => id)).size, 300);
  const { stored, kept } = await newestIds(world);
  assert.equal(kept, stored);
});

Deno.test("a task that is removed while others start or go, too, is no one's last one", async () => {
  await using world = await newWorld();
  const { deps, people, web, deploy, kv } = world;
  const start = async () =>
    startTask(
      await openProject({ deps, actor: people.bob.actor }, web.id, "run_tasks"),
      parseStart({
        template_id: deploy.id,
      }),
    );
  for (let turn = 0; turn < 40; turn++) {
    const ended: TaskRow[] = [];
    for (let n = 0; n < 3; n++) {
      const task = { ...await start(), project_id: web.id };
      ended.push(await advance(kv, task, "stopped"));
    }
    await Promise.all([
      ...ended.slice(1).map((task) => removeTask(kv, task)),
      ...(turn % 2 ? [start()] : []),
    ]);
    const { stored, kept } = await newestIds(world);
    assert.equal(kept, stored, `turn ${turn}`);
  }
});

Deno.test("a start does not begin again for the steps of the task before it", async () => {
  await using world = await newWorld();
  const { deps, people, web, deploy, kv } = world;
  const scope = await openProject({ deps, actor: people.bob.actor }, web.id, "run_tasks");
  const start = () => startTask(scope, parseStart({ template_id: deploy.id }));
  const before = await start();
  const getMany = kv.getMany.bind(kv);
  let starts = 0;
  kv.getMany = async (all, options) => {
    const entries = await getMany(all, options);
    if (all.some(([rows]) => rows === "task_counts") && ++starts === 1) {
      await advance(kv, { ...before, project_id: web.id }, "stopped");
    }
    return entries as never;
  };
  const after = await start();
  assert.equal(starts, 1);
  assert.deepEqual(await newestIds(world), { stored: after.id, kept: after.id });
});
